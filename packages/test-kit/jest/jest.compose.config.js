import servers from './jest.servers.config.js';

/** The suites on the whole stack. @type {import('jest').Config} */
export default {
  ...servers,
  testMatch: ['**/test/**/*.compose.test.ts'],
  testTimeout: 180_000,
};
