import process from 'node:process';
import base from './jest.config.js';

/** They take minutes and fail rarely: `.ci/full` runs them. */
const SLOW = ['/(packed-packages|generated-client)[.]'];

/** Suites that kill and start whole systems, or use a browser. @type {import('jest').Config} */
export default {
  ...base,
  testMatch: ['**/test/**/*.{system,browser}.test.ts'],
  testPathIgnorePatterns: ['/node_modules/', ...(process.env.ALL_SUITES === 'true' ? [] : SLOW)],
  testTimeout: 600_000,
  // Each starts processes of its own.
  maxWorkers: '100%',
};
