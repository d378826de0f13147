import base from './jest.config.js';

const { hasChartTools } = await import('../src/chart-tools.ts');
const { CHARTS } = await import('../src/jest/suite-kinds.ts');

const skipped = hasChartTools() ? [] : [CHARTS];

/** Suites that render the Helm charts. @type {import('jest').Config} */
export default {
  ...base,
  testMatch: ['**/test/**/*.charts.test.ts'],
  testPathIgnorePatterns: ['/node_modules/', ...skipped.map(({ suffix }) => `[.]${suffix}[.]test[.]ts$`)],
  reporters: ['default', 'summary', ['<rootDir>/packages/test-kit/src/jest/left-out-reporter.ts', { kinds: skipped }]],
};
