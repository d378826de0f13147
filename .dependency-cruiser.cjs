// The import rules of docs/architecture.md, "Rules".
const {
  NPM,
  PURE_BUILTINS,
  IN_MEMORY,
  HTTP,
  DRIVERS,
  driverInItsAdapters,
  SERVED_TO_BROWSERS,
  NAMELESS,
  workspaces,
  unlistedWorkspace,
  EXPORTED,
  TESTS,
  TEST_PACKAGES,
  ABOVE_SERVICES,
  TOOLS,
  ROUTES,
  BUS,
  ADAPTERS,
  COMPOSITION,
  ENTRIES,
  throughEntry,
} = require('./.dependency-cruiser.roles.cjs');

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
      name: 'listed-dependencies',
      comment: 'What is imported must be there.',
      severity: 'error',
      from: {},
      to: { couldNotResolve: true },
    },
    {
      name: 'listed-dependencies',
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
      from: {
        orphan: true,
        pathNot: ['/main[.]ts$', '/fixtures/', '[.]d[.]m?ts$', '^packages/test-kit/src/jest/', SERVED_TO_BROWSERS],
      },
      to: {},
    },
    {
      name: 'no-nameless-room',
      comment: 'A file or folder is named after what it is for, not "common", "shared", "utils" or "helpers".',
      severity: 'error',
      from: {},
      to: { path: NAMELESS, pathNot: 'node_modules/', dependencyTypesNot: ['core'] },
    },
    {
      name: 'no-nameless-room',
      comment: 'The same, for a module that nothing imports yet.',
      severity: 'error',
      from: { path: NAMELESS, pathNot: 'node_modules/' },
      to: {},
    },
    {
      name: 'production-alone',
      comment: 'What runs in production imports no tests, no test-kit and no development dependency.',
      severity: 'error',
      from: { path: '^(packages|services)/[^/]+/src/', pathNot: TEST_PACKAGES },
      to: { path: [TESTS, TEST_PACKAGES] },
    },
    {
      name: 'workspaces-apart',
      comment: 'Tests import other workspaces through their exports.',
      severity: 'error',
      from: { path: '^(packages|services)/([^/]+)/', pathNot: '^(packages|services)/[^/]+/src/' },
      to: { path: '^services/', pathNot: ['^$1/$2/', ...EXPORTED] },
    },
    {
      name: 'production-alone',
      comment: 'What runs in production is installed in production.',
      severity: 'error',
      from: { path: '^(packages|services)/[^/]+/src/', pathNot: TEST_PACKAGES },
      to: { dependencyTypes: ['npm-dev'], dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'product-logic-is-pure',
      comment:
        'A file without a suffix imports its like, the site, contracts, concurrency primitives, pure built-ins, and libraries that only work in memory: no driver, no I/O.',
      severity: 'error',
      from: {
        path: '^services/([^/]+)/src/[^/]+/',
        pathNot: [...ROUTES, ...BUS, ...ADAPTERS, TOOLS],
      },
      to: {
        pathNot: [
          '^services/$1/src/[^/]+/[^.]+[.]ts$',
          '^packages/(contracts|service-kit/src/concurrency)/',
          '^packages/site/src/(index|links)[.]ts$',
          PURE_BUILTINS,
          IN_MEMORY,
        ],
      },
    },
    {
      name: 'stores-are-ports',
      comment: 'A *-store.ts is a port: it declares types, from types. Its adapters are *-store.mongo.ts and the like.',
      severity: 'error',
      from: {
        path: '^services/[^/]+/src/[^/]+/[^.]*-store[.]ts$',
        // The cache's store is in memory.
        pathNot: [TOOLS, '^services/gateway/src/cache/cache-store[.]ts$'],
      },
      to: { dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'no-unknown-suffix',
      comment: 'A suffix is one of the roles above: another one would be a role without rules.',
      severity: 'error',
      from: {
        path: '^services/[^/]+/src/.+[.][^./]+[.]ts$',
        pathNot: [...ROUTES, ...BUS, ...ADAPTERS],
      },
      to: {},
    },
    {
      name: 'only-service-imports-adapters',
      comment:
        'service.ts and what it opens parts with are the composition root, admin.ts is for tools; adapters and tests may import adapters too.',
      severity: 'error',
      from: {
        path: '^(packages|services)/[^/]+/src/',
        pathNot: [COMPOSITION, ...ADAPTERS, TEST_PACKAGES],
      },
      to: { path: ADAPTERS },
    },
    {
      name: 'workspaces-apart',
      comment: 'Services meet over HTTP and the bus.',
      severity: 'error',
      from: { path: '^services/([^/]+)/', pathNot: TOOLS },
      to: { path: '^services/', pathNot: '^services/$1/' },
    },
    ...ENTRIES.map(throughEntry),
    {
      name: 'workspaces-apart',
      comment: 'Packages are below the services, except the CLI and those that test or measure them.',
      severity: 'error',
      from: { path: '^packages/', pathNot: ['^packages/cli/', ABOVE_SERVICES] },
      to: { path: '^services/' },
    },
    {
      name: 'workspaces-apart',
      comment: 'A package is what its package.json exports: src/index.ts, and what is loaded alone.',
      severity: 'error',
      from: { path: '^(packages|services)/([^/]+)/' },
      to: {
        path: '^packages/[^/]+/',
        pathNot: [...EXPORTED, '^$1/$2/'],
      },
    },
    ...Object.entries(DRIVERS).map(driverInItsAdapters),
    {
      name: 'drivers-in-adapters',
      comment: 'Express is named in routes, service-kit and the simulator.',
      severity: 'error',
      from: {
        path: '^(packages|services)/[^/]+/src/',
        pathNot: [...ROUTES, '^packages/(service-kit|simulator)/src/', TEST_PACKAGES],
      },
      to: { path: NPM('express') },
    },
    {
      name: 'edges-apart',
      comment: 'Routes speak HTTP: what they say on the bus they say through a use case.',
      severity: 'error',
      from: { path: ROUTES },
      to: { path: ['^packages/service-kit/src/bus/', ...BUS] },
    },
    {
      name: 'edges-apart',
      comment: 'What speaks the bus asks nothing over HTTP but through a port.',
      severity: 'error',
      from: { path: BUS },
      to: { path: [...HTTP, ...ROUTES] },
    },
    {
      name: 'workspaces-apart',
      comment: 'The network is a URL to every service; standalone and a command of the CLI start the simulated one.',
      severity: 'error',
      from: {
        path: '^(packages|services)/[^/]+/src/',
        pathNot: [
          '^services/standalone/',
          '^packages/simulator/',
          TEST_PACKAGES,
          '^packages/cli/src/commands/network[.]ts$',
        ],
      },
      to: { path: '^packages/simulator/' },
    },
    {
      name: 'base-packages-are-pure',
      comment: 'contracts are data; only the programs that print their documents use files.',
      severity: 'error',
      from: { path: '^packages/contracts/src/', pathNot: '^packages/contracts/src/openapi/' },
      to: { pathNot: ['^packages/contracts/src/(?!openapi/)', NPM('zod')] },
    },
    {
      name: 'base-packages-are-pure',
      comment: 'concurrency primitives know no service, transport or store.',
      severity: 'error',
      from: { path: '^packages/service-kit/src/concurrency/' },
      to: {
        pathNot: ['^packages/service-kit/src/concurrency/', '^packages/contracts/src/errors[.]ts$', NPM('p-queue')],
      },
    },
    {
      name: 'base-packages-are-pure',
      comment: 'Pages show what they ask through their port: they know no service, transport or store.',
      severity: 'error',
      from: { path: '^packages/site/src/', pathNot: [SERVED_TO_BROWSERS, '^packages/site/src/bundle-assets[.]ts$'] },
      to: { pathNot: ['^packages/(site|contracts)/src/', IN_MEMORY] },
    },
    {
      name: 'base-packages-are-pure',
      comment:
        'The bus and the stores are below services: each can be loaded without HTTP, and a store without the bus.',
      severity: 'error',
      from: { path: '^packages/service-kit/src/(bus|mongo|sqlite)/' },
      to: {
        path: '^packages/service-kit/src/',
        pathNot: ['^packages/service-kit/src/(file-errors[.]|(concurrency|context|sqlite)/|$1/)'],
      },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    tsConfig: { fileName: 'packages/tsconfig.json' },
    tsPreCompilationDeps: true,
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['@lobbystats/source', 'import', 'node', 'default'],
    },
  },
};
