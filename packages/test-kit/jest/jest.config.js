import { availableParallelism } from 'node:os';
import process from 'node:process';

if (Number.parseInt(process.versions.node, 10) < 24) {
  throw new Error(
    'Lobbystats runs on Node 24, which `npm ci` brings along: start the tests with `npm test` or `npx jest`',
  );
}
const { LONG_SUITES } = await import('../src/jest/suite-kinds.ts');

// Jest loads suites as CommonJS: of the packages that ship ES modules alone it needs a translation too.
const ESM_PACKAGES = [
  ...['nock', '@mswjs/interceptors', '@open-draft/until', 'rettime'],
  // Of jsdom.
  ...[
    '@exodus/bytes',
    '@csstools/[^/]+',
    'parse5(-parser-stream)?',
    'entities',
    'bcp-47(-match)?',
    'is-(alphabetical|alphanumerical|decimal)',
  ],
  ...[
    'p-queue',
    'p-retry',
    'is-network-error',
    'stream-(json|chain)',
    'content-type',
    'cockatiel',
    'commander',
    'tinypool',
    'hyparquet(-writer)?',
  ],
];
const commonjs = (syntax) => ({ jsc: { target: 'es2024', parser: { syntax } }, module: { type: 'commonjs' } });

/** @type {import('jest').Config} */
export default {
  rootDir: '../../..',
  testEnvironment: 'node',
  // Packages that are published export their source under a condition, since the built files exist only in the tarball.
  testEnvironmentOptions: { customExportConditions: ['@lobbystats/source', 'node', 'node-addons'] },
  roots: ['<rootDir>/packages', '<rootDir>/services'],
  testMatch: ['**/test/**/*.test.ts'],
  testPathIgnorePatterns: ['/node_modules/', ...LONG_SUITES.map(({ suffix }) => `[.]${suffix}[.]test[.]ts$`)],
  globalSetup: '<rootDir>/packages/test-kit/src/jest/files-in-memory.ts',
  setupFilesAfterEnv: ['network-guard', 'unit-guard', 'repeatable-properties'].map(
    (name) => `<rootDir>/packages/test-kit/src/${name}-setup.ts`,
  ),
  // Ends what hangs; what only takes long on a busy machine goes on.
  testTimeout: 60_000,
  // Two a core, since a third of their time is waiting. Jest reads more than 100 % as a number of workers.
  maxWorkers: 2 * availableParallelism(),
  reporters: [
    'default',
    'summary',
    ['<rootDir>/packages/test-kit/src/jest/left-out-reporter.ts', { kinds: LONG_SUITES }],
  ],
  transform: {
    '[.]ts$': ['@swc/jest', commonjs('typescript')],
    '[.]m?js$': ['@swc/jest', commonjs('ecmascript')],
  },
  // A package may lie in another's node_modules.
  transformIgnorePatterns: [`/node_modules/(?!(?:.*/node_modules/)?(${ESM_PACKAGES.join('|')})/)`],
};
