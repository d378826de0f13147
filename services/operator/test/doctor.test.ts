import { chmodSync, cpSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { temporaryDirectory } from '@lobbystats/test-kit';
import { clockFinding } from '../src/doctor/look-at-clock.ts';
import type { Finding } from '../src/doctor/finding.ts';
import { roomFinding } from '../src/doctor/look-at-machine.ts';
import { partOf } from '../src/doctor/finding.ts';
import { slotFinding } from '../src/doctor/look-at-slots.ts';
import { runDoctor } from '../src/doctor/run-doctor.ts';
import { fillStandalone, NOW, startServices } from './filled-standalone.ts';
import { run } from './run.ts';

const findingsIn = async (directory: string) => {
  const { code, out } = await run(runDoctor, ['--json'], { DATA_DIR: directory, PORT: '9' });
  return { code, findings: JSON.parse(out) as Finding[] };
};

/** What isn't well, as `part grade`. */
const unwell = (findings: readonly Finding[]) =>
  findings.filter(({ grade }) => grade !== 'ok').map(({ part, grade }) => `${part} ${grade}`);

describe('npm run doctor, where npm start keeps its data', () => {
  let filled: string;
  let directory: string;
  beforeAll(async () => {
    filled = temporaryDirectory('file');
    await fillStandalone(filled);
  });
  beforeEach(() => {
    directory = temporaryDirectory();
    cpSync(filled, directory, { recursive: true });
  });

  it('finds nothing wrong but that it does not run', async () => {
    const { code, findings } = await findingsIn(directory);
    expect(code).toBe(0);
    expect(unwell(findings).filter((one) => !one.startsWith('disk'))).toEqual(['site warning']);
    expect(findings.map(({ part }) => part)).toEqual(
      expect.arrayContaining(['release', 'disk', 'bus', 'slots', 'catalog.sqlite', 'users.sqlite', 'network']),
    );
    expect(findings.every(({ grade, todo }) => (grade === 'ok') === (todo === undefined))).toBe(true);
  });

  it('tells of a running system by its process, and that its site does not answer', async () => {
    const services = await startServices({ DIRECTORY: directory });
    const { code, findings } = await findingsIn(directory);
    await services.stop();
    expect(findings.find(({ part }) => part === 'data')?.says).toContain(`process ${process.pid}`);
    expect(code).toBe(1);
    expect(unwell(findings)).toContain('site fault');
  });

  it('names dead letters, missing indexes, files of others, and secrets that others may read', async () => {
    change(directory, 'bus.sqlite', "INSERT INTO dead_letter VALUES (1, 'series-api', 0, 5, NULL, 'odd', 0, '{}')");
    change(directory, 'catalog.sqlite', 'DROP INDEX entry_by_time');
    change(directory, 'reputation.sqlite', "UPDATE store_identity SET value = 'another' WHERE key = 'origin'");
    change(directory, 'users.sqlite', "UPDATE store_identity SET value = '99' WHERE key = 'schema_version'");
    writeFileSync(join(directory, 'forgotten.key'), 'key');
    chmodSync(join(directory, 'forgotten.key'), 0o644);
    mkdirSync(join(directory, '.restoring'));
    rmSync(join(directory, 'series.sqlite'));
    writeFileSync(join(directory, 'collector.sqlite'), 'no database at all, but a text');
    const { code, findings } = await findingsIn(directory);
    expect(code).toBe(1);
    expect(unwell(findings)).toEqual(
      expect.arrayContaining([
        'bus warning',
        'catalog.sqlite fault',
        'users.sqlite fault',
        'forgotten.key warning',
        'series.sqlite fault',
        'collector.sqlite fault',
        'data fault',
      ]),
    );
    expect(findings.find(({ part, grade }) => part === 'catalog.sqlite' && grade === 'fault')?.says).toContain(
      'index entry_by_time',
    );
  });

  it('is a table for people, with what to do', async () => {
    const { out, code } = await run(runDoctor, [], { DATA_DIR: join(directory, 'none') });
    expect(code).toBe(1);
    expect(out).toMatch(/fault +data +.* has no data\n +-> set DATA_DIR/);
    expect(await run(runDoctor, ['--help'])).toMatchObject({ code: 0, out: expect.stringContaining('--env-file') });
    expect(await run(runDoctor, ['--env-file', '/none'])).toMatchObject({ code: 1 });
  });
});

describe('what the doctor makes of', () => {
  it.each([
    [0, 'ok'],
    [-2400, 'ok'],
    [3500, 'warning'],
    [-9000, 'fault'],
  ])('a clock that is %d ms ahead', (aheadMs, grade) => {
    expect(clockFinding('influxdb', { aheadMs, withinMs: 500 })).toMatchObject({ grade });
  });

  it.each([
    [300, true, 'ok'],
    [1200, true, 'warning'],
    [7200, true, 'fault'],
    [7200, false, 'ok'],
  ])('a newest slot of %d s ago, running: %s', (age, running, grade) => {
    expect(slotFinding(NOW - age, NOW, running)).toMatchObject({ grade });
  });

  it.each([
    [1e10, 'ok'],
    [1e9, 'warning'],
    [1e8, 'fault'],
  ])('%d free bytes', (free, grade) => {
    expect(roomFinding(partOf('disk'), free, 'data')).toMatchObject({ grade });
  });

  it('a secret in what a server says: it is not repeated', () => {
    const { says } = partOf('mongodb').ok('mongodb://admin:hunter2@127.0.0.1 password=hunter2');
    expect(says).not.toContain('hunter2');
  });
});

function change(directory: string, file: string, sql: string): void {
  const db = new DatabaseSync(join(directory, file));
  db.exec(sql);
  db.close();
}
