import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { secrets } from '@lobbystats/cli/secrets';
import { operations } from '@lobbystats/contracts';
import { cleanUp, eventually, getJson, temporaryDirectory } from '@lobbystats/test-kit';
import { docker } from '@lobbystats/test-kit/docker';
import { freePorts } from '@lobbystats/test-kit/free-ports';
import { createSbom } from '../image/sbom.ts';
import { IMAGE } from '../stack/image.ts';
import { compose, composeArgs, expectBackfilled, unhealthyServices } from './stack.ts';

const DAY_MS = 86_400_000;
const COMPOSE_FILE = join(import.meta.dirname, '../../../../docker-compose.yml');
const STANDALONE_FILE = join(import.meta.dirname, '../../../../compose.standalone.yml');

/** Prints `name@version` of every package that is installed in the image. */
const LIST_PACKAGES = `
  const { globSync, readFileSync, lstatSync } = require('node:fs');
  for (const file of globSync('/app/**/node_modules/{*,@*/*}/package.json')) {
    if (lstatSync(require('node:path').dirname(file)).isSymbolicLink()) continue;
    const { name, version } = JSON.parse(readFileSync(file, 'utf8'));
    console.log(name + '@' + version);
  }`;

describe('image', () => {
  it('states its title, version, source and revision', async () => {
    const settings = { LOBBYSTATS_IMAGE: 'lobbystats-labels:1.2.3' };
    const labelled = ['VERSION=1.2.3', 'REVISION=0123456789abcdef', 'SOURCE=https://stats.example/source'];
    await docker([...composeArgs, 'build', ...labelled.flatMap((one) => ['--build-arg', one]), 'init'], settings);
    cleanUp(() => docker(['rmi', 'lobbystats-labels:1.2.3']));
    const labels = await docker(['image', 'inspect', '-f', '{{json .Config.Labels}}', 'lobbystats-labels:1.2.3']);
    expect(JSON.parse(labels)).toMatchObject({
      'org.opencontainers.image.title': 'Lobbystats',
      'org.opencontainers.image.version': '1.2.3',
      'org.opencontainers.image.revision': '0123456789abcdef',
      'org.opencontainers.image.source': 'https://stats.example/source',
    });
  });

  it('contains exactly the packages of its bill of materials', async () => {
    const installed = await docker(['run', '--rm', '--network', 'none', IMAGE, 'node', '-e', LIST_PACKAGES]);
    const listed = createSbom().components.map((component) => component['bom-ref']);
    expect([...new Set(installed.split('\n'))].sort()).toEqual(listed.sort());
    expect(listed).toContain(listed.find((name) => name.startsWith('express@')));
  });
});

it('compose.standalone.yml runs the whole system in one read-only container, and keeps its data', async () => {
  const [port] = await freePorts(1);
  const settings = { LISTEN_PORT: '0', SIMULATOR_PORT: String(port) };
  const standalone = (...args: string[]) =>
    docker(['compose', '-f', STANDALONE_FILE, '-p', 'lobbystats-standalone-test', ...args], settings);
  cleanUp(() => standalone('down', '-v', '-t', '5'));
  const read = async (path: string) => {
    const { status, body } = await getJson(`http://${(await standalone('port', 'lobbystats', '8080')).trim()}${path}`);
    expect(status).toBe(200);
    return body;
  };
  const snapshots = async () => (await read(operations.getOnlineSeries.path)) as { recorded_at: string }[];
  await standalone('up', '-d', '--wait', '--no-build');
  const live = await eventually(
    async () => {
      const newest = (await snapshots()).at(-1);
      expect(newest).toBeDefined();
      return newest;
    },
    { everyMs: 500 },
  );
  await standalone(
    'exec',
    'lobbystats',
    'node',
    'packages/cli/src/main.ts',
    'backup',
    '--to',
    '/var/lib/lobbystats/backups/one',
  );
  await standalone('kill', 'lobbystats');
  await standalone('up', '-d', '--wait', '--no-build');
  expect(await snapshots()).toContainEqual(live);
});

it('the stack makes its secrets without an .env, once, and only their user reads them', async () => {
  const project = ['compose', '-p', 'lobbystats-secrets-test', '-f', COMPOSE_FILE, '--env-file', '/dev/null'];
  const settings = { ENV_DIRECTORY: temporaryDirectory() };
  cleanUp(() => docker([...project, '--profile', '*', 'down', '-v', '-t', '0'], settings));
  const readAll = async () => {
    await docker([...project, 'run', '--rm', 'secrets'], settings);
    const script = 'cd /run/secrets && stat -c "%n %a %u" * && cat *';
    return docker([...project, 'run', '--rm', '--no-deps', '-T', 'operator', 'bash', '-c', script], settings);
  };
  const first = await readAll();
  expect(first).toContain('ERASURE_KEY 400 1000');
  expect(first.match(/[0-9a-f]{48}/g)).toHaveLength(Object.keys(secrets).length);
  expect(await readAll()).toBe(first);
});

it('a password that is changed in .env recreates no container, and its service uses it after a restart', async () => {
  // Recreates what another suite has started with other options.
  await compose('up', '-d', '--wait');
  const containers = () => compose('ps', '-a', '--format', '{{.Service}} {{.ID}}');
  const before = await containers();
  const file = String(composeArgs[composeArgs.indexOf('--env-file') + 1]);
  const changed = '5f1c0a9be27d4836';
  writeFileSync(file, readFileSync(file, 'utf8').replace(/(?<=^RABBITMQ_GATEWAY_PASSWORD=).*$/m, changed));
  await compose('up', '-d', '--wait');
  expect(await containers()).toBe(before);
  await compose('exec', '-T', 'rabbitmq', 'rabbitmqctl', 'authenticate_user', 'gateway', changed);
  await compose('restart', 'gateway');
  await compose('up', '-d', '--wait', '--no-recreate');
  expect(await unhealthyServices()).toEqual([]);
});

it('nginx ends by itself when it is stopped', async () => {
  await compose('up', '-d', '--wait', '--no-recreate');
  await compose('stop', 'nginx');
  expect(await compose('ps', '-a', '--format', '{{.ExitCode}}', 'nginx')).toBe('0');
  await compose('up', '-d', '--wait', '--no-recreate');
});

it('the export service writes the files of yesterday, and waits for the night', async () => {
  await compose('up', '-d', '--wait', '--no-recreate');
  cleanUp(() => compose('--profile', 'export', 'rm', '-sfv', 'export'));
  await eventually(expectBackfilled, { timeoutMs: 600_000, everyMs: 1000 });
  await compose('--profile', 'export', 'up', '-d', '--no-deps', 'export');
  const log = await eventually(
    async () => {
      const text = await compose('--profile', 'export', 'logs', '--no-log-prefix', 'export');
      if (!text.includes('next export at')) throw new Error(text);
      return text;
    },
    { timeoutMs: 600_000, everyMs: 1000 },
  );
  const dates = [0, 1, 2].map((days) => new Date(Date.now() - days * DAY_MS).toISOString().slice(0, 10));
  const files = [...log.matchAll(/(\w+)[/]([\d-]+)[.]parquet: (\d+) rows/g)].map(([, name, date, rows]) => {
    expect(dates).toContain(date);
    return [name, Number(rows) > 0];
  });
  expect(Object.fromEntries(files)).toMatchObject({
    network: true,
    snapshots: true,
    matches: true,
    leaderboards: true,
  });
}, 700_000);
