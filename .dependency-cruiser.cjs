// The import rules of docs/architecture.md, "Rules". test/architecture.system.test.ts shows that each of them fires.
const { globSync, readFileSync } = require('node:fs');

const NPM = (names) => `(^|/)node_modules/(${names})/`;

const TESTS = '^(packages|services)/[^/]+/test/|^test/|^bench/';
const PURE_BUILTINS = '^(node:)?(assert|buffer|crypto|events|string_decoder|url|util)(/|$)';
// Queues, and reading and writing formats. Of stream-json only what knows no Node streams.
const IN_MEMORY = NPM('p-queue|csv-stringify|stream-(chain|json)/src/(core|utils)');
const DRIVERS = [
  NPM('mongodb|@influxdata/influxdb-client|@influxdata/influxdb-client-apis|amqplib'),
  '^(node:)?sqlite$',
];
const HTTP = [NPM('express|undici|axios|cheerio'), '^(node:)?(http|https|http2)$'];
const SERVED_TO_BROWSERS = '^services/gateway/src/site/';
const NAMELESS = '(^|[-/.])(common|shared|misc|utils?|utilities|helpers?)[./]';

const workspaces = globSync(['packages/*/package.json', 'services/*/package.json']).map((path) => ({
  folder: path.replace(/.package[.]json$/, '').replaceAll('\\', '/'),
  ...JSON.parse(readFileSync(path, 'utf8')),
}));

/** The rule for one workspace; dependency-cruiser's own types of dependencies tell of packages from npm alone. */
const unlistedWorkspace = ({ folder, name, dependencies, devDependencies }) => {
  const listed = { [name]: '', ...dependencies, ...devDependencies };
  return {
    name: 'no-unlisted-workspace',
    comment: 'A workspace stands in the package.json of the workspace that imports it.',
    severity: 'error',
    from: { path: `^${folder}/` },
    to: {
      path: '^(packages|services)/',
      pathNot: workspaces.filter((other) => other.name in listed).map((other) => `^${other.folder}/`),
    },
  };
};

/** @type {import('dependency-cruiser').IConfiguration} */
module.exports = {
  forbidden: [
    {
      name: 'no-circular',
      comment: 'No cycles anywhere, those of types included.',
      severity: 'error',
      from: {},
      to: { circular: true },
    },
    {
      name: 'no-unresolvable',
      comment: 'What is imported must be there.',
      severity: 'error',
      from: {},
      to: { couldNotResolve: true },
    },
    {
      name: 'no-unlisted-package',
      comment: 'A package stands in the package.json of the workspace that imports it.',
      severity: 'error',
      from: {},
      to: { dependencyTypes: ['npm-no-pkg', 'npm-unknown'] },
    },
    ...workspaces.map(unlistedWorkspace),
    {
      name: 'no-orphans',
      comment: 'A module that nothing imports and that imports nothing is left over.',
      severity: 'error',
      from: { orphan: true, pathNot: ['/main[.]ts$', '[.]d[.]ts$', SERVED_TO_BROWSERS] },
      to: {},
    },
    {
      name: 'no-nameless-room',
      comment:
        'A file or folder is named after what it is for; "common", "shared", "utils", "helpers" are for nothing.',
      severity: 'error',
      from: {},
      to: { path: NAMELESS, pathNot: 'node_modules/', dependencyTypesNot: ['core'] },
    },
    {
      name: 'no-import-in-nameless-room',
      comment: 'The same, for a module that nothing imports yet.',
      severity: 'error',
      from: { path: NAMELESS, pathNot: 'node_modules/' },
      to: {},
    },
    {
      name: 'production-without-test-tools',
      comment: 'What runs in production imports no tests, no test-kit and no development dependency.',
      severity: 'error',
      from: { path: '^(packages|services)/[^/]+/src/', pathNot: '^packages/test-kit/' },
      to: { path: [TESTS, '^packages/test-kit/'] },
    },
    {
      name: 'production-without-dev-dependencies',
      comment: 'What runs in production is installed in production.',
      severity: 'error',
      from: { path: '^(packages|services)/[^/]+/src/', pathNot: '^packages/test-kit/' },
      to: { dependencyTypes: ['npm-dev'], dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'domain-is-pure',
      comment:
        'domain/ imports its own domain, concurrency, contracts, errors, pure built-ins, and libraries that only work in memory: no driver, no I/O.',
      severity: 'error',
      from: { path: '^services/([^/]+)/src/domain/' },
      to: {
        pathNot: [
          '^services/$1/src/domain/',
          '^packages/(concurrency|contracts|errors)/src/',
          PURE_BUILTINS,
          IN_MEMORY,
        ],
      },
    },
    {
      name: 'only-context-imports-adapters',
      comment: 'context.ts is the composition root; adapters and tests may import adapters too.',
      severity: 'error',
      from: { path: '^(packages|services)/[^/]+/src/', pathNot: '^services/[^/]+/src/(context[.]ts$|adapters/)' },
      to: { path: '^services/[^/]+/src/adapters/' },
    },
    {
      name: 'no-service-imports-a-service',
      comment: 'Services meet over HTTP and the bus.',
      severity: 'error',
      from: { path: '^services/([^/]+)/', pathNot: '^services/(standalone|provision|moderation|operator)/' },
      to: { path: '^services/', pathNot: '^services/$1/' },
    },
    {
      name: 'standalone-through-service-ts',
      comment: 'standalone composes the services, and provision prepares their stores, through their src/service.ts.',
      severity: 'error',
      from: { path: '^services/(standalone|provision|moderation|operator)/' },
      to: { path: '^services/', pathNot: ['^services/$1/', '^services/[^/]+/src/service[.]ts$'] },
    },
    {
      name: 'no-package-imports-a-service',
      comment: 'Packages are below the services.',
      severity: 'error',
      from: { path: '^packages/' },
      to: { path: '^services/' },
    },
    {
      name: 'packages-through-their-index',
      comment: 'A package is what its package.json exports: src/index.ts, and what is loaded alone.',
      severity: 'error',
      from: { path: '^(packages|services)/([^/]+)/' },
      to: {
        path: '^packages/[^/]+/',
        pathNot: [
          '^packages/[^/]+/src/index[.]ts$',
          '^packages/(service-kit/src/(json-depth|config/renamed-settings)|test-kit/src/nock)[.]ts$',
          '^$1/$2/',
        ],
      },
    },
    {
      name: 'drivers-in-adapters',
      comment: 'A driver is named in adapters/ and in the packages that are adapters themselves.',
      severity: 'error',
      from: {
        path: '^(packages|services)/[^/]+/src/',
        pathNot: [
          '^services/[^/]+/src/adapters/',
          // Who prepares or keeps the stores themselves.
          '^services/(provision|operator|standalone)/src/',
          '^packages/(message-bus|sqlite-store|mongo-store|simulator)/src/',
        ],
      },
      to: { path: [...DRIVERS, '^packages/(sqlite|mongo)-store/'] },
    },
    {
      name: 'express-in-http',
      comment: 'Express is named in http/, service-kit and the simulator.',
      severity: 'error',
      from: {
        path: '^(packages|services)/[^/]+/src/',
        pathNot: ['^services/[^/]+/src/http/', '^packages/(service-kit|simulator)/src/'],
      },
      to: { path: NPM('express') },
    },
    {
      name: 'http-without-bus',
      comment: 'http/ speaks HTTP: what it says on the bus it says through a use case.',
      severity: 'error',
      from: { path: '^services/[^/]+/src/http/' },
      to: { path: ['^packages/message-bus/', '^services/[^/]+/src/messaging/'] },
    },
    {
      name: 'messaging-without-http',
      comment: 'messaging/ speaks the bus: what it asks over HTTP it asks through a port.',
      severity: 'error',
      from: { path: '^services/[^/]+/src/messaging/' },
      to: { path: [...HTTP, '^services/[^/]+/src/http/'] },
    },
    {
      name: 'simulator-in-standalone',
      comment: 'The network is a URL to every service; standalone alone starts the simulated one.',
      severity: 'error',
      from: {
        path: '^(packages|services)/[^/]+/src/',
        pathNot: ['^services/standalone/', '^packages/(simulator|test-kit)/'],
      },
      to: { path: '^packages/simulator/' },
    },
    {
      name: 'contracts-import-zod-alone',
      comment: 'contracts are data; only the program that prints them writes files.',
      severity: 'error',
      from: { path: '^packages/contracts/src/', pathNot: '^packages/contracts/src/print/main[.]ts$' },
      to: { pathNot: ['^packages/contracts/src/', NPM('zod')] },
    },
    {
      name: 'concurrency-is-pure',
      comment: 'concurrency primitives know no service, transport or store.',
      severity: 'error',
      from: { path: '^packages/concurrency/src/' },
      to: { pathNot: ['^packages/(concurrency|errors)/src/', NPM('p-queue')] },
    },
    {
      name: 'errors-import-nothing',
      comment: 'errors know no transport and no store.',
      severity: 'error',
      from: { path: '^packages/errors/src/' },
      to: { pathNot: '^packages/errors/src/' },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    tsConfig: { fileName: 'tsconfig.json' },
    tsPreCompilationDeps: true,
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'node', 'default'],
    },
  },
};
