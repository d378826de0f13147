import process from 'node:process';
import base from './jest.config.js';

const { findChromium } = await import('../src/chromium.ts');
const { skippedBrowserSuites } = await import('../src/jest/suite-kinds.ts');

const ci = ['true', '1'].includes(process.env.CI ?? '');
const skipped = skippedBrowserSuites({ chromium: findChromium(), ci });

/** Suites that kill and start whole systems, or use a browser. @type {import('jest').Config} */
export default {
  ...base,
  testMatch: ['**/test/**/*.{system,browser}.test.ts'],
  testPathIgnorePatterns: ['/node_modules/', ...skipped.map(({ suffix }) => `[.]${suffix}[.]test[.]ts$`)],
  reporters: ['default', 'summary', ['<rootDir>/packages/test-kit/src/jest/left-out-reporter.ts', { kinds: skipped }]],
};
