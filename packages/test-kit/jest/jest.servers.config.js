import base from './jest.config.js';

const { slowSuites } = await import('../src/jest/suite-kinds.ts');

/** The suites on real servers. @type {import('jest').Config} */
export default {
  ...base,
  testMatch: ['**/test/**/*.servers.test.ts'],
  testPathIgnorePatterns: ['/node_modules/', ...slowSuites()],
  // Containers mount directories of the tests.
  globalSetup: undefined,
  testTimeout: 600_000,
  // They wait for servers half of their time.
  maxWorkers: '100%',
  reporters: ['default', 'summary'],
};
