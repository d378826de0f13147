import servers from './jest.servers.config.js';

/** The suites on the whole stack, one after the other: some of them stop what others need. @type {import('jest').Config} */
export default {
  ...servers,
  testMatch: ['**/test/**/*.compose.test.ts'],
  testTimeout: 180_000,
  maxWorkers: 1,
  testSequencer: '<rootDir>/packages/test-kit/src/jest/stack-sequencer.ts',
};
