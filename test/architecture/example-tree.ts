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
  'packages/test-kit/src/index.ts': allowed('fast-check', '@lobbystats/simulator'),

  'services/alpha/src/main.ts': allowed('./service.ts'),
  'services/alpha/src/service.ts': allowed('./context.ts', '@lobbystats/service-kit'),
  'services/alpha/src/context.ts': allowed('./adapters/sqlite/titles.ts', './http/titles.ts', './messaging/titles.ts'),
  'services/alpha/src/adapters/sqlite/titles.ts': allowed('node:sqlite', './rows.ts', '../../domain/title.ts'),
  'services/alpha/src/adapters/sqlite/rows.ts': allowed('@lobbystats/sqlite-store'),
  'services/alpha/src/domain/title.ts': allowed(
    'node:crypto',
    '@lobbystats/contracts',
    '@lobbystats/errors',
    './name.ts',
  ),
  'services/alpha/src/domain/name.ts': forbidden('domain-is-pure', 'zod'),
  'services/alpha/src/domain/clock.ts': forbidden('domain-is-pure', 'node:fs'),
  'services/alpha/src/domain/port.ts': forbidden('domain-is-pure', 'node:net'),
  'services/alpha/src/domain/say.ts': forbidden('domain-is-pure', '@lobbystats/message-bus'),
  'services/alpha/src/domain/answer.ts': forbidden('domain-is-pure', '../http/titles.ts'),
  'services/alpha/src/domain/rows.ts': {
    imports: ['../adapters/sqlite/rows.ts'],
    breaks: ['domain-is-pure', 'only-context-imports-adapters'],
  },
  'services/alpha/src/domain/answer-type.ts': {
    imports: ['type express'],
    breaks: ['domain-is-pure', 'express-in-http'],
  },
  'services/alpha/src/http/titles.ts': allowed('express', '../domain/title.ts'),
  'services/alpha/src/http/rows.ts': forbidden('only-context-imports-adapters', '../adapters/sqlite/rows.ts'),
  'services/alpha/src/http/say.ts': forbidden('http-without-bus', '@lobbystats/message-bus'),
  'services/alpha/src/http/hear.ts': forbidden('http-without-bus', '../messaging/titles.ts'),
  'services/alpha/src/messaging/titles.ts': allowed('@lobbystats/message-bus', '../domain/title.ts'),
  'services/alpha/src/messaging/rabbit.ts': forbidden('drivers-in-adapters', 'amqplib'),
  'services/alpha/src/messaging/ask.ts': forbidden('messaging-without-http', 'undici'),
  'services/alpha/src/messaging/serve.ts': forbidden('messaging-without-http', 'node:http'),
  'services/alpha/src/chicken.ts': forbidden('no-circular', './egg.ts'),
  // A cycle is reported once, at the module where it was met first.
  'services/alpha/src/egg.ts': allowed('type ./chicken.ts'),
  'services/alpha/src/server.ts': forbidden('express-in-http', 'express'),
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
  'services/alpha/test/titles.test.ts': allowed('../src/adapters/sqlite/titles.ts', 'node:sqlite', './build-title.ts'),
  'services/alpha/test/beta.test.ts': forbidden('no-service-imports-a-service', '../../beta/src/service.ts'),
  'services/beta/src/service.ts': allowed('@lobbystats/service-kit'),
  'services/beta/src/neighbour.ts': forbidden('no-service-imports-a-service', '@lobbystats/alpha'),
  'services/beta/src/title.ts': forbidden('no-unlisted-workspace', 'type @lobbystats/contracts'),
  'services/beta/src/http/titles.ts': forbidden('no-unlisted-package', 'type express'),
  'services/beta/src/context.ts': {
    imports: ['../../alpha/src/adapters/sqlite/rows.ts'],
    breaks: ['no-service-imports-a-service'],
  },
  'services/standalone/src/main.ts': allowed('@lobbystats/alpha', '../../beta/src/service.ts', '@lobbystats/simulator'),
  'services/standalone/src/shortcut.ts': forbidden('standalone-through-service-ts', '../../alpha/src/domain/title.ts'),
};

const npmPackages = ['@influxdata/influxdb-client', 'amqplib', 'express', 'mongodb', 'undici', 'zod'];
/** Installed packages that a workspace does not list. No workspace lists `unlisted`. */
const unlisted: Record<string, string[]> = { 'services/beta': ['@lobbystats/contracts', 'express'] };

/** Writes the modules, the manifests of their workspaces and stand-ins of the npm packages into a new folder; its path. */
export function writeExampleTree(): string {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'architecture-')));
  const write = (path: string, text: string): void => {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  };
  write('tsconfig.json', '{}');
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
    const main = workspace.startsWith('packages/') ? 'index' : 'service';
    const listed = installed.filter((other) => unlisted[workspace]?.includes(other) !== true);
    const dependencies = Object.fromEntries(listed.map((other) => [other, '*']));
    const devDependencies = { 'fast-check': '*' };
    const manifest = { name, type: 'module', exports: `./src/${main}.ts`, dependencies, devDependencies };
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
