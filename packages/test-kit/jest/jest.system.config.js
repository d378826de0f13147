import process from 'node:process';
import base from './jest.config.js';

const { findChromium } = await import('../src/chromium.ts');
const { hasClientTools } = await import('../src/client-tools.ts');
const { skippedSystemSuites, slowSuites } = await import('../src/jest/suite-kinds.ts');

const ci = ['true', '1'].includes(process.env.CI ?? '');
const skipped = skippedSystemSuites({ chromium: findChromium(), clientTools: hasClientTools(), ci });

/** Suites that kill and start whole systems, use a browser, or run clients of the API. @type {import('jest').Config} */
export default {
  ...base,
  testMatch: ['**/test/**/*.{system,browser,clients}.test.ts'],
  testPathIgnorePatterns: [
    '/node_modules/',
    ...slowSuites(),
    ...skipped.map(({ suffix }) => `[.]${suffix}[.]test[.]ts$`),
  ],
  testTimeout: 600_000,
  // Each starts processes of its own.
  maxWorkers: '100%',
  reporters: ['default', 'summary', ['<rootDir>/packages/test-kit/src/jest/left-out-reporter.ts', { kinds: skipped }]],
};
