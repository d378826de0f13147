// Paths of the roles that the import rules of .dependency-cruiser.cjs name.
const { globSync, readFileSync } = require('node:fs');

const NPM = (names) => `(^|/)node_modules/(${names})/`;

const PURE_BUILTINS = '^(node:)?(assert|buffer|crypto|events|string_decoder|url|util|zlib)(/|$)';
// Queues, schemas, templates, and reading and writing formats. Of stream-json only what knows no Node streams.
const IN_MEMORY = NPM('zod|hono|p-queue|csv-stringify|ical-generator|stream-(chain|json)/src/(core|utils)');
const HTTP = [NPM('express|undici|axios|cheerio'), '^(node:)?(http|https|http2)$'];
/** Drivers and the packages that open them, by the suffix of the adapters that name them. */
const DRIVERS = {
  mongo: [NPM('mongodb'), '^packages/service-kit/src/mongo/(?!commit-steps[.])'],
  sqlite: ['^(node:)?sqlite$', '^packages/service-kit/src/sqlite/(?!sqlite-outbox[.])'],
  influx: [NPM('@influxdata/influxdb-client|@influxdata/influxdb-client-apis')],
  amqp: [NPM('amqplib')],
};
const SERVED_TO_BROWSERS = '^packages/site/src/islands/';
const NAMELESS = '(^|[-/.])(common|shared|misc|utils?|utilities|helpers?)[./]';

const NO_CIRCULAR_FOLDERS = {
  name: 'no-circular-folders',
  comment: 'No two folders import each other, types included.',
  severity: 'error',
  scope: 'folder',
  from: { path: '^services/[^/]+/src' },
  to: { circular: true },
};

const NO_ORPHANS = {
  name: 'no-orphans',
  comment: 'A module that nothing imports and that imports nothing is left over.',
  severity: 'error',
  from: {
    orphan: true,
    pathNot: ['/main[.]ts$', '/fixtures/', '[.]d[.]m?ts$', '^packages/test-kit/src/jest/', SERVED_TO_BROWSERS],
  },
  to: {},
};

const TESTS = '^(packages|services)/[^/]+/(test|testing)/';
/** Packages of programs and fixtures for tests, which nothing in production imports. */
const TEST_PACKAGES = '^packages/(test-kit|system-tests)/';
/** They start and measure whole services. */
const ABOVE_SERVICES = '^packages/system-tests/';
const workspaces = globSync(['packages/*/package.json', 'services/*/package.json']).map((path) => ({
  folder: path.replace(/.package[.]json$/, '').replaceAll('\\', '/'),
  ...JSON.parse(readFileSync(path, 'utf8')),
}));
const targetsOf = (exported) =>
  typeof exported === 'string' ? [exported] : Object.values(exported).flatMap(targetsOf);
/** The files that workspaces export, as patterns. */
const EXPORTED = workspaces.flatMap(({ folder, exports = {} }) =>
  targetsOf(exports).map((file) => `^${folder}${file.slice(1).replaceAll('.', '[.]')}$`),
);

/** They compose or prepare services, and have no features. */
const TOOLS = '^(services/standalone|packages/cli)/';
const suffixed = (names) => `^services/[^/]+/src/.+[.](${names})[.]ts$`;
const ROUTES = [suffixed('routes')];
const BUS = [suffixed('bus')];
/** What features ask of their stores: they take open connections, and load no driver. */
const QUERIES = [suffixed('queries')];
const ADAPTERS = [suffixed('mongo|sqlite|influx|http|parse|node')];
/** Every suffix. */
const ROLES = [...ROUTES, ...BUS, ...QUERIES, ...ADAPTERS];

const QUERIES_LOAD_NO_DRIVER = {
  name: 'queries-load-no-driver',
  comment: 'Queries take an open connection: they name drivers and adapters as types alone.',
  severity: 'error',
  from: { path: QUERIES },
  to: { path: [...Object.values(DRIVERS).flat(), ...ADAPTERS], dependencyTypesNot: ['type-only'] },
};

/** What connects the parts of a service, and what tools need of it. */
const COMPOSITION = '^services/[^/]+/src/(service|context|open-store|admin)[.]ts$';

const ENTRIES = [
  {
    name: 'workspaces-apart',
    comment: 'standalone composes the services through their src/service.ts.',
    from: '^services/(standalone)/src/',
    entry: 'service',
  },
  {
    name: 'workspaces-apart',
    comment: 'Tools prepare and keep the stores of services through their src/admin.ts, without loading the services.',
    from: '^packages/(cli)/src/',
    entry: 'admin',
  },
];

/** The rule for tools that import one of the exports of a service. */
const throughEntry = ({ name, comment, from, entry }) => ({
  name,
  comment,
  severity: 'error',
  from: { path: from },
  to: { path: '^services/', pathNot: ['^services/$1/', `^services/[^/]+/src/(${entry})[.]ts$`] },
});

/** The rule for one driver. */
const driverInItsAdapters = ([suffix, path]) => ({
  name: 'drivers-in-adapters',
  comment: 'A driver is named in the adapters with its suffix, and in the packages that are adapters themselves.',
  severity: 'error',
  from: {
    path: '^(packages|services)/[^/]+/src/',
    pathNot: [
      suffixed(suffix),
      ...QUERIES,
      '^services/[^/]+/src/open-store[.]ts$',
      // Who prepares or keeps the stores themselves.
      '^services/standalone/src/',
      '^packages/cli/src/(provision|operator)/',
      '^packages/test-kit/src/',
      '^packages/(service-kit/src/(bus|sqlite|mongo)|simulator/src)/',
    ],
  },
  to: { path },
});

/** The rule for one workspace; dependency-cruiser's own types of dependencies tell of packages from npm alone. */
const unlistedWorkspace = ({ folder, name, dependencies, devDependencies }) => {
  const listed = { [name]: '', ...dependencies, ...devDependencies };
  return {
    name: 'listed-dependencies',
    comment: 'A workspace stands in the package.json of the workspace that imports it.',
    severity: 'error',
    from: { path: `^${folder}/` },
    to: {
      path: '^(packages|services)/',
      pathNot: workspaces.filter((other) => other.name in listed).map((other) => `^${other.folder}/`),
    },
  };
};

module.exports = {
  NPM,
  PURE_BUILTINS,
  IN_MEMORY,
  HTTP,
  DRIVERS,
  driverInItsAdapters,
  SERVED_TO_BROWSERS,
  NAMELESS,
  NO_CIRCULAR_FOLDERS,
  NO_ORPHANS,
  workspaces,
  unlistedWorkspace,
  EXPORTED,
  TESTS,
  TEST_PACKAGES,
  ABOVE_SERVICES,
  TOOLS,
  ROUTES,
  BUS,
  QUERIES,
  QUERIES_LOAD_NO_DRIVER,
  ADAPTERS,
  ROLES,
  COMPOSITION,
  ENTRIES,
  throughEntry,
};
