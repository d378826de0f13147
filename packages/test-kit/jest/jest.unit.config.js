import base from './jest.config.js';

/** Suites without ports, processes and databases: a fast part of `npm test`. @type {import('jest').Config} */
export default {
  ...base,
  testPathIgnorePatterns: [...base.testPathIgnorePatterns, '[.](api|integration)[.]test[.]ts$'],
  setupFilesAfterEnv: [...base.setupFilesAfterEnv, '<rootDir>/packages/test-kit/src/unit-guard-setup.ts'],
  reporters: ['default'],
};
