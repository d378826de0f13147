import base from './jest.config.js';

/** Suites without ports, processes and databases: a fast part of `npm test`. @type {import('jest').Config} */
export default {
  ...base,
  testPathIgnorePatterns: ['/node_modules/', '[.][a-z]+[.]test[.]ts$'],
  // They never wait.
  maxWorkers: '100%',
  reporters: ['default'],
};
