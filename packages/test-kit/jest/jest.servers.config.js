import process from 'node:process';
import base from './jest.config.js';

/** They take minutes and fail rarely: `.ci/full` runs them, and a command that names them. */
const SLOW = ['/(analysts|faults|foreign-servers|panels|plots|rolling-restart|scaling)[.]compose[.]'];

/** The suites on servers in containers; the program that starts these says which. @type {import('jest').Config} */
export default {
  ...base,
  testPathIgnorePatterns: ['/node_modules/', ...(process.env.ALL_SUITES === 'true' ? [] : SLOW)],
  // Containers mount directories of the tests.
  globalSetup: undefined,
  testTimeout: 600_000,
  // They wait for servers half of their time.
  maxWorkers: '100%',
};
