import { availableParallelism } from 'node:os';
import process from 'node:process';

if (Number.parseInt(process.versions.node, 10) < 24) {
  throw new Error(
    'Lobbystats runs on Node 24, which `npm ci` brings along: start the tests with `npm test` or `npx jest`',
  );
}

const commonjs = (syntax) => ({ jsc: { target: 'es2024', parser: { syntax } }, module: { type: 'commonjs' } });

/** The suites that need nothing but Node. @type {import('jest').Config} */
export default {
  rootDir: '../../..',
  testEnvironment: '<rootDir>/packages/test-kit/src/jest/suite-environment.ts',
  runtime: '<rootDir>/packages/test-kit/src/jest/suite-runtime.ts',
  // Packages that are published export their source under a condition, since the built files exist only in the tarball.
  testEnvironmentOptions: { customExportConditions: ['@lobbystats/source', 'node', 'node-addons'] },
  roots: ['<rootDir>/packages', '<rootDir>/services'],
  testMatch: ['**/test/**/*.test.ts'],
  testPathIgnorePatterns: ['/node_modules/', '[.](system|browser|servers|compose)[.]test[.]ts$'],
  globalSetup: '<rootDir>/packages/test-kit/src/jest/files-in-memory.ts',
  setupFilesAfterEnv: ['network-guard', 'unit-guard', 'repeatable-properties'].map(
    (name) => `<rootDir>/packages/test-kit/src/${name}-setup.ts`,
  ),
  // Ends what hangs; what only takes long on a busy machine goes on.
  testTimeout: 300_000,
  // Three for two cores, since suites also wait. More workers load more modules. Jest reads more than 100 % as a number of workers.
  maxWorkers: Math.ceil(1.5 * availableParallelism()),
  // Suites share the heap of a worker, and leave some of it behind.
  workerIdleMemoryLimit: '1GB',
  reporters: ['default', 'summary'],
  transform: {
    '[.]ts$': ['@swc/jest', commonjs('typescript')],
    '[.]m?js$': ['@swc/jest', commonjs('ecmascript')],
  },
};
