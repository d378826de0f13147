import { spawnSync } from 'node:child_process';
import { readFileSync, statSync, writeFileSync } from 'node:fs';
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
    expect(values.get('COMPOSE_PROFILES')).toBe('simulator');
    values.delete('COMPOSE_PROFILES');
    expect([...values.keys()]).toEqual(Object.keys(secrets));
    expect(new Set(values.values()).size).toBe(values.size);
    expect([...values.values()].every((value) => /^[0-9a-f]{48}$/.test(String(value)))).toBe(true);
    expect([...values.values()].filter((value) => stdout.includes(String(value)))).toEqual([]);
    expect(statSync(file).mode & 0o777).toBe(0o600);
  });

  it('adds missing secrets and leaves existing ones unchanged', () => {
    const file = join(temporaryDirectory(), '.env');
    const present = 'LISTEN_PORT=9000\nMONGODB_KEY=kept\nRABBITMQ_DLQ_PASSWORD=\n# ours';
    writeFileSync(file, present);
    expect(run(file).stdout).not.toContain('MONGODB_KEY');
    const first = readFileSync(file, 'utf8');
    expect(first.startsWith(`${present}\n`)).toBe(true);
    expect(valuesIn(first).get('MONGODB_KEY')).toBe('kept');
    expect(valuesIn(first).get('RABBITMQ_DLQ_PASSWORD')).toMatch(/^[0-9a-f]{48}$/);
    expect(run(file).stdout).toMatch(/is already complete/);
    expect(readFileSync(file, 'utf8')).toBe(first);
  });

  it('keeps the values of renamed settings under their new names', () => {
    const file = join(temporaryDirectory(), '.env');
    writeFileSync(
      file,
      '# FILL_DAYS stays in comments\nFILL_DAYS=7\nexport FORGOTTEN_KEY=kept-key\nBACKFILL_DAYS_X=1\n',
    );
    expect(run(file).stdout).not.toContain('ERASURE_KEY');
    const text = readFileSync(file, 'utf8');
    expect(text).toContain(
      '# FILL_DAYS stays in comments\nBACKFILL_DAYS=7\nexport ERASURE_KEY=kept-key\nBACKFILL_DAYS_X=1\n',
    );
    expect(text.match(/ERASURE_KEY=/g)).toHaveLength(1);
  });

  it('leaves COMPOSE_PROFILES unchanged, even if empty', () => {
    const file = join(temporaryDirectory(), '.env');
    writeFileSync(file, 'COMPOSE_PROFILES=\n');
    run(file);
    expect(readFileSync(file, 'utf8').match(/^COMPOSE_PROFILES=.*$/gm)).toEqual(['COMPOSE_PROFILES=']);
  });

  it('prints its usage, unknown options and unwritable files', () => {
    expect(run('--help')).toMatchObject({ status: 0, stdout: expect.stringMatching(/npm run init/) });
    expect(run('--force').status).toBe(2);
    expect(run('/dev/null/.env')).toMatchObject({ status: 1, stderr: expect.stringMatching(/can't be written/) });
  });
});

describe('secrets', () => {
  it('match the secrets that the compose files require', () => {
    const files = ['docker-compose.yml', 'docker-compose.cluster.yml'];
    const compose = files.map((file) => readFileSync(join(root, file), 'utf8')).join('\n');
    const asked = [...compose.matchAll(/\$\{([A-Z_]+):\?run npm run init\}/g)].map(([, name]) => String(name));
    expect([...new Set(asked)].sort()).toEqual(Object.keys(secrets).sort());
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
