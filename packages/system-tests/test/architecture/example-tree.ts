import { mkdirSync, mkdtempSync, realpathSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

/** A module of the example tree: what it imports, and the rules that this breaks. */
export interface ExampleModule {
  imports: string[];
  breaks: string[];
}

const allowed = (...imports: string[]): ExampleModule => ({ imports, breaks: [] });
const forbidden = (rule: string, ...imports: string[]): ExampleModule => ({ imports, breaks: [rule] });

/** Example modules by path in the real folder layout: some follow every rule, the others break the named rules. */
export const exampleModules: Record<string, ExampleModule> = {
  'packages/cli/src/main.ts': allowed('./commands/network.ts', './operator/backup.ts'),
  'packages/cli/src/commands/network.ts': allowed('@lobbystats/simulator', '@lobbystats/alpha/admin'),
  'packages/cli/src/commands/play.ts': forbidden('simulator-in-standalone', '@lobbystats/simulator'),
  'packages/cli/src/operator/backup.ts': allowed('mongodb', 'node:sqlite', '../../../../services/alpha/src/admin.ts'),
  'packages/cli/src/operator/rows.ts': forbidden(
    'tools-through-admin-ts',
    '../../../../services/alpha/src/titles/title.ts',
  ),
  'packages/cli/src/operator/copy.ts': forbidden('tools-through-admin-ts', '@lobbystats/alpha'),
  'packages/cli/src/moderation/rows.ts': forbidden('drivers-in-adapters', 'mongodb'),
  'packages/contracts/src/index.ts': allowed('zod', './operation.ts'),
  'packages/contracts/src/operation.ts': forbidden('contracts-import-zod-alone', '@lobbystats/errors'),
  'packages/contracts/src/print/main.ts': allowed('node:fs', '../index.ts'),
  'packages/contracts/src/print/table.ts': forbidden('contracts-import-zod-alone', 'node:fs'),
  'packages/contracts/test/operation.test.ts': allowed(
    'node:fs',
    'fast-check',
    '@lobbystats/test-kit',
    '../src/index.ts',
  ),
  'packages/errors/src/index.ts': allowed('./app-error.ts'),
  'packages/concurrency/src/semaphore.ts': forbidden('concurrency-is-pure', 'node:http'),
  'packages/errors/src/app-error.ts': forbidden('errors-import-nothing', 'node:http'),
  'packages/message-bus/src/index.ts': allowed('amqplib', '@lobbystats/sqlite-store'),
  'packages/message-bus/src/journal.ts': forbidden('packages-through-their-index', '../../contracts/src/operation.ts'),
  'packages/service-kit/src/index.ts': allowed('express', 'node:http', '@lobbystats/errors'),
  'packages/service-kit/src/store.ts': forbidden('drivers-in-adapters', 'node:sqlite'),
  'packages/service-kit/src/discovery.ts': {
    imports: ['../../../services/alpha/src/service.ts'],
    breaks: ['no-package-imports-a-service'],
  },
  'packages/simulator/src/index.ts': allowed('express', 'node:sqlite'),
  'packages/simulator/src/shared/dice.ts': forbidden('no-import-in-nameless-room', 'node:crypto'),
  'packages/simulator/src/dice-helpers.ts': forbidden('no-import-in-nameless-room', 'node:util/types'),
  'packages/simulator/src/dice.ts': forbidden('no-nameless-room', './dice-utils.ts'),
  'packages/simulator/src/dice-utils.ts': allowed(),
  'packages/simulator/src/left-over.ts': forbidden('no-orphans'),
  'packages/sqlite-store/src/index.ts': allowed('node:sqlite', 'node:fs'),
  'packages/test-kit/src/index.ts': allowed('fast-check', '@lobbystats/simulator', '@lobbystats/sqlite-store'),
  'packages/test-kit/src/open-alpha.ts': forbidden('no-package-imports-a-service', '@lobbystats/alpha'),
  'packages/benchmarks/src/main.ts': allowed('@lobbystats/alpha', '@lobbystats/test-kit', 'mongodb', 'express'),
  'packages/benchmarks/src/titles.ts': forbidden(
    'tests-through-exports',
    '../../../services/alpha/src/titles/title-store.sqlite.ts',
  ),
  'packages/system-tests/test/alpha.test.ts': allowed('@lobbystats/alpha', '@lobbystats/test-kit'),
  'packages/system-tests/test/title.test.ts': forbidden(
    'tests-through-exports',
    '../../../services/alpha/src/titles/title.ts',
  ),
  'packages/system-tests/test/build-title.test.ts': forbidden(
    'tests-through-exports',
    '../../../services/alpha/test/build-title.ts',
  ),
  'packages/system-tests/test/journal.test.ts': forbidden(
    'packages-through-their-index',
    '../../message-bus/src/journal.ts',
  ),

  'services/alpha/src/main.ts': allowed('./service.ts'),
  'services/alpha/src/service.ts': allowed('./context.ts', './open-store.ts', '@lobbystats/service-kit'),
  'services/alpha/src/open-store.ts': allowed('./titles/title-store.sqlite.ts'),
  'services/alpha/src/admin.ts': allowed('./open-store.ts', './titles/title-store.mongo.ts'),
  'services/alpha/src/command.ts': forbidden('only-service-imports-adapters', './titles/title-store.sqlite.ts'),
  'services/alpha/src/context.ts': allowed(
    './titles/title-store.sqlite.ts',
    './titles/title.routes.ts',
    './titles/title.consumer.ts',
  ),
  'services/alpha/src/titles/title-store.sqlite.ts': allowed('node:sqlite', './title-rows.sqlite.ts', './title.ts'),
  'services/alpha/src/titles/title-rows.sqlite.ts': allowed('@lobbystats/sqlite-store'),
  'services/alpha/src/titles/title-store.mongo.ts': allowed('mongodb', 'type ./title-store.ts'),
  'services/alpha/src/titles/title-rows.mongo.ts': forbidden('drivers-in-adapters', 'node:sqlite'),
  'services/alpha/src/titles/title-store.ts': allowed('type ./title.ts'),
  'services/alpha/src/titles/name-store.ts': forbidden('stores-are-ports', './title.ts'),
  'services/alpha/src/titles/title.redis.ts': forbidden('no-unknown-suffix', './title.ts'),
  'services/alpha/src/titles/title.ts': allowed(
    'node:crypto',
    '@lobbystats/contracts',
    '@lobbystats/errors',
    './name.ts',
  ),
  'services/alpha/src/titles/calendar.ts': allowed('ical-generator'),
  'services/alpha/src/titles/name.ts': allowed('zod', 'ical-generator'),
  'services/alpha/src/titles/clock.ts': forbidden('product-logic-is-pure', 'node:fs'),
  'services/alpha/src/titles/port.ts': forbidden('product-logic-is-pure', 'node:net'),
  'services/alpha/src/titles/say.ts': forbidden('product-logic-is-pure', '@lobbystats/message-bus'),
  'services/alpha/src/titles/answer.ts': forbidden('product-logic-is-pure', './title.routes.ts'),
  'services/alpha/src/titles/learn.ts': forbidden('product-logic-is-pure', './title.consumer.ts'),
  'services/alpha/src/titles/compose.ts': forbidden('product-logic-is-pure', '../context.ts'),
  'services/alpha/src/titles/rows.ts': {
    imports: ['./title-rows.sqlite.ts'],
    breaks: ['product-logic-is-pure', 'only-service-imports-adapters'],
  },
  'services/alpha/src/titles/answer-type.ts': {
    imports: ['type express'],
    breaks: ['product-logic-is-pure', 'express-in-routes'],
  },
  'services/alpha/src/titles/title.routes.ts': allowed('express', './title.ts'),
  'services/alpha/src/titles/title.server.ts': allowed('express', './title.ts'),
  'services/alpha/src/titles/row.routes.ts': forbidden('only-service-imports-adapters', './title-rows.sqlite.ts'),
  'services/alpha/src/titles/say.routes.ts': forbidden('routes-without-bus', '@lobbystats/message-bus'),
  'services/alpha/src/titles/hear.routes.ts': forbidden('routes-without-bus', './title.consumer.ts'),
  'services/alpha/src/titles/hear.server.ts': forbidden('routes-without-bus', './title.publisher.ts'),
  'services/alpha/src/titles/title.consumer.ts': allowed('@lobbystats/message-bus', './title.ts'),
  'services/alpha/src/titles/title.publisher.ts': allowed('@lobbystats/message-bus', './title.ts'),
  'services/alpha/src/titles/rabbit.consumer.ts': forbidden('drivers-in-adapters', 'amqplib'),
  'services/alpha/src/titles/ask.consumer.ts': forbidden('consumers-without-http', 'undici'),
  'services/alpha/src/titles/serve.publisher.ts': forbidden('consumers-without-http', 'node:http'),
  'services/alpha/src/titles/serve.consumer.ts': forbidden('consumers-without-http', './title.server.ts'),
  // In a service with features a folder gives no permission.
  'services/alpha/src/http/titles.ts': { imports: ['express'], breaks: ['product-logic-is-pure', 'express-in-routes'] },
  'services/alpha/src/adapters/titles.ts': {
    imports: ['node:sqlite'],
    breaks: ['product-logic-is-pure', 'drivers-in-adapters'],
  },
  'services/alpha/src/chicken.ts': forbidden('no-circular', './egg.ts'),
  // A cycle is reported once, at the module where it was met first.
  'services/alpha/src/egg.ts': allowed('type ./chicken.ts'),
  'services/alpha/src/server.ts': forbidden('express-in-routes', 'express'),
  'services/alpha/src/mongo.ts': forbidden('drivers-in-adapters', 'mongodb'),
  'services/alpha/src/influx.ts': forbidden('drivers-in-adapters', '@influxdata/influxdb-client'),
  'services/alpha/src/store.ts': forbidden('drivers-in-adapters', '@lobbystats/sqlite-store'),
  'services/alpha/src/gone.ts': forbidden('no-unresolvable', './nowhere.ts'),
  'services/alpha/src/unlisted.ts': forbidden('no-unlisted-package', 'unlisted'),
  'services/alpha/src/network.ts': forbidden('simulator-in-standalone', '@lobbystats/simulator'),
  'services/alpha/src/kit.ts': forbidden('production-without-test-tools', '@lobbystats/test-kit'),
  'services/alpha/src/tested.ts': forbidden('production-without-test-tools', '../test/build-title.ts'),
  'services/alpha/src/property.ts': forbidden('production-without-dev-dependencies', 'fast-check'),
  'services/alpha/test/build-title.ts': allowed('@lobbystats/test-kit'),
  'services/alpha/test/titles.test.ts': allowed(
    '../src/titles/title-store.sqlite.ts',
    'node:sqlite',
    './build-title.ts',
  ),
  'services/alpha/test/kit.test.ts': forbidden(
    'packages-through-their-index',
    '../../../packages/test-kit/test/kit.ts',
  ),
  'packages/test-kit/test/kit.ts': allowed('node:fs'),
  'services/alpha/src/measure.ts': forbidden('production-without-test-tools', '../testing/open-store.ts'),
  'services/alpha/testing/open-store.ts': allowed('../src/titles/title-store.sqlite.ts', '@lobbystats/test-kit'),
  'services/alpha/test/beta.test.ts': forbidden('no-service-imports-a-service', '../../beta/src/service.ts'),
  'services/beta/src/service.ts': allowed('@lobbystats/service-kit'),
  'services/beta/src/neighbour.ts': forbidden('no-service-imports-a-service', '@lobbystats/alpha'),
  'services/beta/src/title.ts': forbidden('no-unlisted-workspace', 'type @lobbystats/contracts'),
  'services/beta/src/titles/title.routes.ts': forbidden('no-unlisted-package', 'type express'),
  'services/beta/src/context.ts': {
    imports: ['../../alpha/src/titles/title-rows.sqlite.ts'],
    breaks: ['no-service-imports-a-service'],
  },
  // A service with a folder for each role.
  'services/series-api/src/context.ts': allowed(
    './adapters/sqlite/titles.ts',
    './http/titles.ts',
    './messaging/titles.ts',
  ),
  'services/series-api/src/adapters/sqlite/titles.ts': allowed('node:sqlite', '../../domain/title.ts'),
  'services/series-api/src/domain/title.ts': allowed('@lobbystats/contracts', './name.ts'),
  'services/series-api/src/domain/name.ts': allowed('@lobbystats/errors'),
  'services/series-api/src/domain/answer.ts': forbidden('product-logic-is-pure', '../http/titles.ts'),
  'services/series-api/src/domain/learn.ts': forbidden('product-logic-is-pure', '../messaging/titles.ts'),
  'services/series-api/src/domain/rows.ts': {
    imports: ['../adapters/sqlite/titles.ts'],
    breaks: ['product-logic-is-pure', 'only-service-imports-adapters'],
  },
  'services/series-api/src/http/titles.ts': allowed('express', '../domain/title.ts'),
  'services/series-api/src/http/rows.ts': forbidden('only-service-imports-adapters', '../adapters/sqlite/titles.ts'),
  'services/series-api/src/http/hear.ts': forbidden('routes-without-bus', '../messaging/titles.ts'),
  'services/series-api/src/messaging/titles.ts': allowed('@lobbystats/message-bus', '../domain/title.ts'),
  'services/series-api/src/messaging/serve.ts': forbidden('consumers-without-http', '../http/titles.ts'),
  'services/standalone/src/main.ts': allowed('@lobbystats/alpha', '../../beta/src/service.ts', '@lobbystats/simulator'),
  'services/standalone/src/shortcut.ts': forbidden('standalone-through-service-ts', '../../alpha/src/titles/title.ts'),
  'services/standalone/src/prepare.ts': forbidden('standalone-through-service-ts', '../../alpha/src/admin.ts'),
  'services/standalone/test/system.test.ts': allowed('@lobbystats/alpha', '../../alpha/src/admin.ts'),
  'services/standalone/test/title.test.ts': forbidden('tests-through-exports', '../../alpha/src/titles/title.ts'),
};

const npmPackages = ['@influxdata/influxdb-client', 'amqplib', 'express', 'ical-generator', 'mongodb', 'undici', 'zod'];
/** Installed packages that a workspace does not list. No workspace lists `unlisted`. */
const unlisted: Record<string, string[]> = { 'services/beta': ['@lobbystats/contracts', 'express'] };

/** Writes the modules, the manifests of their workspaces and stand-ins of the npm packages into a new folder; its path. */
export function writeExampleTree(): string {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'architecture-')));
  const write = (path: string, text: string): void => {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  };
  write('packages/tsconfig.json', '{}');
  write('package.json', '{}');
  for (const name of [...npmPackages, 'fast-check', 'unlisted']) {
    write(`node_modules/${name}/package.json`, JSON.stringify({ name, version: '1.0.0', main: 'index.js' }));
    write(`node_modules/${name}/index.js`, '');
  }
  for (const [path, { imports }] of Object.entries(exampleModules)) write(path, imports.map(importLine).join(''));
  mkdirSync(join(root, 'node_modules/@lobbystats'));
  const workspaces = workspacesOf(Object.keys(exampleModules));
  const installed = [...npmPackages, ...Array.from(workspaces, nameOf)];
  for (const workspace of workspaces) {
    const name = nameOf(workspace);
    const exports = workspace.startsWith('packages/')
      ? './src/index.ts'
      : { '.': './src/service.ts', './admin': './src/admin.ts' };
    const listed = installed.filter((other) => unlisted[workspace]?.includes(other) !== true);
    const dependencies = Object.fromEntries(listed.map((other) => [other, '*']));
    const devDependencies = { 'fast-check': '*' };
    const manifest = { name, type: 'module', exports, dependencies, devDependencies };
    write(`${workspace}/package.json`, JSON.stringify(manifest));
    symlinkSync(join(root, workspace), join(root, 'node_modules', name));
  }
  return root;
}

function workspacesOf(paths: string[]): Set<string> {
  return new Set(paths.map((path) => path.split('/').slice(0, 2).join('/')));
}

function nameOf(workspace: string): string {
  return workspace.replace(/^.+[/]/, '@lobbystats/');
}

function importLine(specifier: string): string {
  const type = /^type (.+)$/.exec(specifier)?.[1];
  return type === undefined ? `import '${specifier}';\n` : `import type { T } from '${type}';\n`;
}
