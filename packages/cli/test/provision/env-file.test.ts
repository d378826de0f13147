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
    const present = 'LISTEN_PORT=9000\nERASURE_KEY=kept\nRABBITMQ_DLQ_PASSWORD=\n# ours';
    writeFileSync(file, present);
    expect(run(file).stdout).not.toContain('ERASURE_KEY');
    const first = readFileSync(file, 'utf8');
    expect(first.startsWith(`${present}\n`)).toBe(true);
    expect(valuesIn(first).get('ERASURE_KEY')).toBe('kept');
    expect(valuesIn(first).get('RABBITMQ_DLQ_PASSWORD')).toMatch(/^[0-9a-f]{48}$/);
    expect(run(file).stdout).toMatch(/is already complete/);
    expect(readFileSync(file, 'utf8')).toBe(first);
  });

  it('writes the stored secrets of the stack to .env, and nothing when the stack can not be asked', () => {
    const directory = temporaryDirectory();
    const stored = 'f3a91c7be05d42680f3a91c7be05d426';
    const docker = join(directory, 'docker');
    const runHere = () =>
      spawnSync(process.execPath, [main], { cwd: directory, env: { PATH: `${directory}:/bin` }, encoding: 'utf8' });
    writeFileSync(docker, `#!/bin/sh\necho no daemon >&2\nexit 1\n`, { mode: 0o755 });
    expect(runHere()).toMatchObject({ status: 1, stderr: expect.stringContaining('no daemon') });
    expect(readdirSync(directory)).toEqual(['docker']);
    const lines = Object.keys(secrets).map((name) => `${name}=${stored}`);
    writeFileSync(docker, `#!/bin/sh\n[ "$7 $8" = "secrets print" ] && echo '${lines.join('\n')}'\n`);
    expect(runHere()).toMatchObject({ status: 0, stdout: expect.not.stringContaining(stored) });
    const values = valuesIn(readFileSync(join(directory, '.env'), 'utf8'));
    expect([...values]).toEqual(Object.keys(secrets).map((name) => [name, stored]));
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
  /** Runs the job with this text as `.env`. */
  const write = (path: string, text = '', ...args: string[]) => {
    const envFile = join(temporaryDirectory(), '.env');
    writeFileSync(envFile, text);
    const owner = String(process.getuid?.());
    return spawnSync('bash', [join(root, 'infra/docker/secrets.sh'), ...args], {
      env: { PATH: '/usr/bin:/bin', SECRETS_OWNER: owner, SECRETS_DIRECTORY: path, ENV_FILE: envFile },
      encoding: 'utf8',
    });
  };
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

  const strong = 'a random text of 36 different parts';

  it('of services are those of .env where it has them, also later', () => {
    const { path } = directory();
    write(path, `ERASURE_KEY=${strong}`);
    const first = filesIn(path, 'all');
    write(path, `RABBITMQ_DLQ_PASSWORD=${strong}\nERASURE_KEY=`);
    expect(filesIn(path, 'all')).toEqual({ ...first, ERASURE_KEY: strong, RABBITMQ_DLQ_PASSWORD: strong });
    expect(filesIn(path, 'dlq')).toEqual({ RABBITMQ_DLQ_PASSWORD: strong });
  });

  const irreplaceable = [
    'RABBITMQ_ADMIN_PASSWORD',
    'INFLUXDB_ADMIN_PASSWORD',
    'INFLUXDB_ADMIN_TOKEN',
    'MONGODB_ADMIN_PASSWORD',
    'ERASURE_KEY',
  ];

  it.each(irreplaceable)('another %s in .env is refused, and nothing is written', (name) => {
    const { path } = directory();
    write(path);
    const all = filesIn(path, 'all');
    const refused = write(path, `RABBITMQ_DLQ_PASSWORD=${strong}\n${name}=${strong}`);
    expect(refused).toMatchObject({ status: 1, stdout: '' });
    expect(refused.stderr).toMatch(new RegExp(`^${name} of .env is not the stored one, which stays: remove it`));
    expect(refused.stderr).not.toContain(strong);
    expect(filesIn(path, 'all')).toEqual(all);
    expect(write(path, `${name}=${all[name]}`)).toMatchObject({ status: 0, stderr: '' });
  });

  it('that are weak in .env are refused by name, and the stored ones stay', () => {
    const { path } = directory();
    write(path);
    const all = filesIn(path, 'all');
    const guesses = ['changeme', 'aaaaaaaaaaaaaaaaaaaaaaaa', 'abcabcabcabcabcabc'];
    for (const guess of guesses) {
      const { status, stderr } = write(path, `MONGODB_USER_API_PASSWORD=${guess}\nGRAFANA_ADMIN_PASSWORD=${guess}`);
      expect([status, stderr.match(/^[A-Z_]+/gm)]).toEqual([
        1,
        ['GRAFANA_ADMIN_PASSWORD', 'MONGODB_USER_API_PASSWORD'],
      ]);
      expect(stderr).not.toContain(guess);
    }
    expect(write(path)).toMatchObject({ status: 0 });
    expect(filesIn(path, 'all')).toEqual(all);
  });

  it('are printed where .env lacks them, so that .env moves a deployment', () => {
    const { path } = directory();
    const { stdout } = write(path, `ERASURE_KEY=${strong}`, 'print');
    const { ERASURE_KEY, ...others } = filesIn(path, 'all');
    expect(Object.fromEntries(valuesIn(stdout))).toEqual(others);
    const next = directory();
    // Appended as it is, to a last line without an end.
    expect(valuesIn(write(next.path, `ERASURE_KEY=${strong}${stdout}`, 'print').stdout).size).toBe(0);
    expect(filesIn(next.path, 'all')).toEqual({ ERASURE_KEY, ...others });
  });

  it('are read from .env as Docker Compose reads it', () => {
    const { path } = directory();
    const lines = [
      'INFLUXDB_ADMIN_TOKEN=old',
      '# ERASURE_KEY=no',
      'export ERASURE_KEY = "a b#c defghijklmnop" # why',
      "MONGODB_ADMIN_PASSWORD='d # e defghijklmnop'",
      'MONGODB_ADMIN_PASSWORD_2=no',
      'RABBITMQ_DLQ_PASSWORD=f#ghijklmnopqrstuv  # why\r',
      'RABBITMQ_ADMIN_PASSWORD=',
      'GRAFANA_ADMIN_PASSWORD=abcdefghijklmnop',
      String.raw`INFLUXDB_ADMIN_TOKEN="i\"j\\k lmnopqrstuvw" # "l"`,
    ];
    expect(write(path, lines.join('\n'))).toMatchObject({ status: 0, stderr: '' });
    expect(filesIn(path, 'all')).toMatchObject({
      ERASURE_KEY: 'a b#c defghijklmnop',
      MONGODB_ADMIN_PASSWORD: 'd # e defghijklmnop',
      RABBITMQ_DLQ_PASSWORD: 'f#ghijklmnopqrstuv',
      GRAFANA_ADMIN_PASSWORD: 'abcdefghijklmnop',
      INFLUXDB_ADMIN_TOKEN: String.raw`i"j\k lmnopqrstuvw`,
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
      expect(read).toThrow(new RegExp(`${name} must be at least 16 characters`));
      expect(read).not.toThrow(new RegExp(`${guess}\\b`));
    }
  });

  it('secrets made by npm run init are accepted', () => {
    expect(readProvisionConfig(env).MONGODB_ADMIN_PASSWORD.reveal()).toBe(random);
  });
});
