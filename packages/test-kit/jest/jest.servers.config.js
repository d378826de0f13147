import base from './jest.config.js';

/** The suites on real servers, one after the other: some of them stop what others need. @type {import('jest').Config} */
export default {
  ...base,
  testMatch: ['**/test/**/*.servers.test.ts'],
  testPathIgnorePatterns: ['/node_modules/'],
  maxWorkers: 1,
  reporters: ['default', 'summary'],
};
