import { spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryDirectory } from '@lobbystats/test-kit';
import { readProvisionConfig } from '../../src/provision/config.ts';
import { secrets } from '../../src/provision/env-file/env-file.ts';

const root = join(import.meta.dirname, '../../../..');
const main = join(root, 'packages/cli/src/provision/env-file/main.ts');
const run = (...args: string[]) => spawnSync(process.execPath, [main, ...args], { encoding: 'utf8' });
const valuesIn = (text: string) =>
  new Map([...text.matchAll(/^([A-Z_]+)=(.+)$/gm)].map(([, name, value]) => [name, value]));

describe('npm run init', () => {
  it('writes random secrets to a file that only its owner can read, and prints none', () => {
    const file = join(temporaryDirectory(), '.env');
    const { status, stdout } = run(file);
    const values = valuesIn(readFileSync(file, 'utf8'));
    expect(status).toBe(0);
    expect([...values.keys()]).toEqual(Object.keys(secrets));
    expect(new Set(values.values()).size).toBe(values.size);
    expect([...values.values()].every((value) => /^[0-9a-f]{48}$/.test(String(value)))).toBe(true);
    expect([...values.values()].filter((value) => stdout.includes(String(value)))).toEqual([]);
    expect(statSync(file).mode & 0o777).toBe(0o600);
  });

  it('adds missing secrets and leaves existing ones unchanged', () => {
    const file = join(temporaryDirectory(), '.env');
    const present = 'LISTEN_PORT=9000\nMONGODB_ADMIN_PASSWORD=kept\nRABBITMQ_DLQ_PASSWORD=\n# ours';
    writeFileSync(file, present);
    expect(run(file).stdout).not.toContain('MONGODB_ADMIN_PASSWORD');
    const first = readFileSync(file, 'utf8');
    expect(first.startsWith(`${present}\n`)).toBe(true);
    expect(valuesIn(first).get('MONGODB_ADMIN_PASSWORD')).toBe('kept');
    expect(valuesIn(first).get('RABBITMQ_DLQ_PASSWORD')).toMatch(/^[0-9a-f]{48}$/);
    expect(run(file).stdout).toMatch(/is already complete/);
    expect(readFileSync(file, 'utf8')).toBe(first);
  });

  it('prints its usage, unknown options and unwritable files', () => {
    expect(run('--help')).toMatchObject({ status: 0, stdout: expect.stringMatching(/npm run init/) });
    expect(run('--force').status).toBe(2);
    expect(run('/dev/null/.env')).toMatchObject({ status: 1, stderr: expect.stringMatching(/can't be written/) });
  });
});

describe('secrets of the stack', () => {
  const names = Object.keys(secrets);
  const directory = () => {
    const path = temporaryDirectory();
    const compose = readFileSync(join(root, 'infra/compose/secrets.yml'), 'utf8');
    const found = (pattern: RegExp) => [...compose.matchAll(pattern)].map(([, one]) => String(one));
    const targets = found(/^ {6}- secrets\S*:[/]secrets[/]([a-z-]+)$/gm);
    for (const target of targets) mkdirSync(join(path, target));
    return { path, containers: targets.filter((target) => target !== 'all') };
  };
  const write = (path: string, env: Record<string, string> = {}, envFile = '/dev/null') =>
    spawnSync('bash', [join(root, 'infra/docker/secrets.sh'), path, envFile], {
      env: { PATH: '/usr/bin:/bin', SECRETS_OWNER: String(process.getuid?.()), ...env },
      encoding: 'utf8',
    });
  const filesIn = (path: string, container: string) =>
    Object.fromEntries(
      readdirSync(join(path, container)).map((name) => [name, readFileSync(join(path, container, name), 'utf8')]),
    );

  it('are made at the first start, and stay; each container has its own alone', () => {
    const { path, containers } = directory();
    expect(write(path)).toMatchObject({ status: 0, stdout: '', stderr: '' });
    const all = filesIn(path, 'all');
    expect(Object.keys(all).sort()).toEqual([...names].sort());
    expect(new Set(Object.values(all)).size).toBe(names.length);
    expect(readProvisionConfig(all).ERASURE_KEY?.reveal()).toBe(all['ERASURE_KEY']);
    for (const container of containers) {
      const own = filesIn(path, container);
      expect(Object.keys(own)).not.toEqual([]);
      expect(all).toMatchObject(own);
      const modes = Object.keys(own).map((name) => statSync(join(path, container, name)).mode & 0o777);
      const isServer = ['rabbitmq', 'influxdb', 'mongodb', 'grafana'].includes(container);
      expect([container, ...new Set(modes)]).toEqual([container, isServer ? 0o440 : 0o400]);
    }
    write(path);
    expect(filesIn(path, 'all')).toEqual(all);
  });

  it('are those of .env where it has them, also later', () => {
    const { path } = directory();
    write(path, { ERASURE_KEY: 'kept' });
    const first = filesIn(path, 'all');
    write(path, { RABBITMQ_DLQ_PASSWORD: 'changed', ERASURE_KEY: '' });
    expect(filesIn(path, 'all')).toEqual({ ...first, ERASURE_KEY: 'kept', RABBITMQ_DLQ_PASSWORD: 'changed' });
    expect(filesIn(path, 'dlq')).toEqual({ RABBITMQ_DLQ_PASSWORD: 'changed' });
  });

  it('are read from .env as Docker Compose reads it', () => {
    const { path } = directory();
    const envFile = join(temporaryDirectory(), '.env');
    const lines = [
      'INFLUXDB_ADMIN_TOKEN=old',
      '# ERASURE_KEY=no',
      'export ERASURE_KEY = "a b#c" # why',
      "MONGODB_ADMIN_PASSWORD='d # e'",
      'MONGODB_ADMIN_PASSWORD_2=no',
    ];
    writeFileSync(
      envFile,
      [
        ...[...lines, 'RABBITMQ_DLQ_PASSWORD=f#g  # why\r', 'RABBITMQ_ADMIN_PASSWORD=', 'GRAFANA_ADMIN_PASSWORD=h'],
        String.raw`INFLUXDB_ADMIN_TOKEN="i\"j\\k" # "l"`,
      ].join('\n'),
    );
    write(path, {}, envFile);
    expect(filesIn(path, 'all')).toMatchObject({
      ERASURE_KEY: 'a b#c',
      MONGODB_ADMIN_PASSWORD: 'd # e',
      RABBITMQ_DLQ_PASSWORD: 'f#g',
      GRAFANA_ADMIN_PASSWORD: 'h',
      INFLUXDB_ADMIN_TOKEN: String.raw`i"j\k`,
      RABBITMQ_ADMIN_PASSWORD: expect.stringMatching(/^[0-9a-f]{48}$/),
    });
  });
});

describe('init job settings', () => {
  const random = 'f3a91c7be05d42680f3a91c7be05d426';
  const env = Object.fromEntries(Object.keys(secrets).map((name) => [name, random]));

  it.each(Object.keys(secrets))('%s is rejected when it is weak, without quoting it', (name) => {
    for (const guess of ['changeme', 'admin', 'aaaaaaaaaaaaaaaaaaaaaaaa']) {
      const read = () => readProvisionConfig({ ...env, [name]: guess });
      expect(read).toThrow(new RegExp(`${name} must be at least 16 characters.*npm run init`));
      expect(read).not.toThrow(new RegExp(`${guess}\\b`));
    }
  });

  it('secrets made by npm run init are accepted', () => {
    expect(readProvisionConfig(env).MONGODB_ADMIN_PASSWORD.reveal()).toBe(random);
  });
});
