import base from './jest.config.js';

const { slowSuites } = await import('../src/jest/suite-kinds.ts');

/** The suites on real servers, one after the other: some of them stop what others need. @type {import('jest').Config} */
export default {
  ...base,
  testMatch: ['**/test/**/*.servers.test.ts'],
  testPathIgnorePatterns: ['/node_modules/', ...slowSuites()],
  // Containers mount directories of the tests.
  globalSetup: undefined,
  maxWorkers: 1,
  reporters: ['default', 'summary'],
};
