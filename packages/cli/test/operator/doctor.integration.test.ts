import { chmodSync, cpSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { RESTORE_DIRECTORY } from '@lobbystats/service-kit/sqlite';
import { DECLARED_ABSENT } from '@lobbystats/contracts';
import { serveRaw, temporaryDirectory } from '@lobbystats/test-kit';
import { seedStandalone, NOW, startServices } from './seed-standalone.ts';
import { run } from '../../testing/run-captured.ts';
import { checkSources } from '../../src/operator/doctor/check-http.ts';
import {
  clockFinding,
  findingsOf,
  freeSpaceFinding,
  slotFinding,
  type Finding,
} from '../../src/operator/doctor/finding.ts';

const runDoctorIn = async (directory: string) => {
  const { code, out } = await run(['doctor', '--json'], { DATA_DIR: directory, PORT: '9' }, () => (NOW + 90) * 1000);
  return { code, findings: JSON.parse(out) as Finding[] };
};

/** Findings other than ok, as `part grade`. */
const problemsIn = (findings: readonly Finding[]) =>
  findings.filter(({ grade }) => grade !== 'ok').map(({ part, grade }) => `${part} ${grade}`);

describe('doctor on standalone data', () => {
  let filled: string;
  let directory: string;
  beforeAll(async () => {
    filled = temporaryDirectory('file');
    await seedStandalone(filled);
  });
  beforeEach(() => {
    directory = temporaryDirectory();
    cpSync(filled, directory, { recursive: true });
  });

  it('reports only that a stopped system does not run', async () => {
    const { code, findings } = await runDoctorIn(directory);
    expect(code).toBe(0);
    expect(problemsIn(findings).filter((one) => !one.startsWith('disk'))).toEqual(['site warning']);
    expect(findings.map(({ part }) => part)).toEqual(
      expect.arrayContaining(['release', 'disk', 'bus', 'slots', 'catalog.sqlite', 'users.sqlite', 'network']),
    );
    expect(findings.every(({ grade, todo }) => (grade === 'ok') === (todo === undefined))).toBe(true);
  });

  it('reports the process of a running system and a site that does not answer', async () => {
    const services = await startServices({ DIRECTORY: directory });
    const { code, findings } = await runDoctorIn(directory);
    await services.stop();
    expect(findings.find(({ part }) => part === 'data')?.text).toContain(`process ${process.pid}`);
    expect(code).toBe(1);
    expect(problemsIn(findings)).toContain('site fault');
  });

  it('reports dead letters, missing indexes, foreign files and readable secrets', async () => {
    executeSql(directory, 'bus.sqlite', "INSERT INTO dead_letter VALUES (1, 'series-api', 0, 5, NULL, 'odd', 0, '{}')");
    executeSql(directory, 'catalog.sqlite', 'DROP INDEX entry_by_time');
    executeSql(directory, 'reputation.sqlite', "UPDATE store_identity SET value = 'another' WHERE key = 'origin'");
    executeSql(directory, 'users.sqlite', "UPDATE store_identity SET value = '99' WHERE key = 'schema_version'");
    writeFileSync(join(directory, 'erasure.key'), 'key');
    chmodSync(join(directory, 'erasure.key'), 0o644);
    mkdirSync(join(directory, '.restoring'));
    rmSync(join(directory, 'series.sqlite'));
    writeFileSync(join(directory, 'collector.sqlite'), 'no database at all, but a text');
    const { code, findings } = await runDoctorIn(directory);
    expect(code).toBe(1);
    expect(problemsIn(findings)).toEqual(
      expect.arrayContaining([
        'bus warning',
        'catalog.sqlite fault',
        'users.sqlite fault',
        'erasure.key warning',
        'series.sqlite fault',
        'collector.sqlite fault',
        'data fault',
      ]),
    );
    expect(findings.find(({ part, grade }) => part === 'catalog.sqlite' && grade === 'fault')?.text).toContain(
      'index entry_by_time',
    );
  });

  it('judges the other parts when the lock of the directory can not be opened', async () => {
    rmSync(join(directory, 'bus.sqlite.lock'), { force: true });
    mkdirSync(join(directory, 'bus.sqlite.lock'));
    const { code, findings } = await runDoctorIn(directory);
    expect(code).toBe(1);
    expect(problemsIn(findings)).toContain('data fault');
    expect(findings.map(({ part }) => part)).toContain('disk');
  });

  it('reports an interrupted restore also where nothing else is there yet', async () => {
    const empty = temporaryDirectory();
    mkdirSync(join(empty, RESTORE_DIRECTORY));
    const { code, findings } = await runDoctorIn(empty);
    expect(code).toBe(1);
    expect(findings.filter(({ part }) => part === 'data').map(({ text }) => text)).toEqual([
      'a restore was interrupted',
    ]);
  });

  it('prints a table with a remedy for each fault', async () => {
    const { out, code } = await run(['doctor'], { DATA_DIR: join(directory, 'none') });
    expect(code).toBe(1);
    expect(out).toMatch(/fault +data +.* has no data\n +-> set DATA_DIR/);
    expect(await run(['doctor', '--settings', '/none'])).toMatchObject({ code: 1 });
    const other = join(temporaryDirectory(), 'other.env');
    writeFileSync(other, 'LISTEN_PORT=80\n');
    expect(await run(['doctor', '--settings', other])).toMatchObject({
      code: 1,
      error: expect.stringContaining("has no administrators' secrets"),
    });
  });
});

const STATUS = {
  ...{ isBackfilling: false, backfill: [], missingSources: [], refusedSources: [] },
  network: { state: 'up', since: null, newestSlot: null },
};

describe('missing and refused sources', () => {
  const siteWith = (body: string) =>
    serveRaw((_, response) => response.setHeader('Content-Type', 'application/json').end(body));

  it('is a warning for each, with the time and the answer of the network', async () => {
    const missing = { source: 'players', since: '2026-01-31 18:05:02', reason: 'The network returned status 404' };
    const url = await siteWith(JSON.stringify({ ...STATUS, missingSources: [missing] }));
    expect(await checkSources(url)).toMatchObject([
      {
        grade: 'warning',
        text: 'the network has no list of the users online since 2026-01-31 18:05:02 UTC: The network returned status 404',
      },
    ]);
  });

  it('is a fault for each whose pages are refused, with the line that describes them', async () => {
    const refused = { source: 'titles', since: '2026-01-31 18:05:00', reason: 'no heading "Host". Line: "titles": {}' };
    const url = await siteWith(JSON.stringify({ ...STATUS, refusedSources: [refused] }));
    expect(await checkSources(url)).toMatchObject([
      {
        grade: 'fault',
        text: 'pages of the source "titles" are refused since 2026-01-31 18:05:00 UTC: no heading "Host". Line: "titles": {}',
        todo: expect.stringContaining('NETWORK_SOURCES_FILE'),
      },
    ]);
  });

  it('is no warning if the operator has declared it', async () => {
    const missing = { source: 'events', since: '2026-01-31 18:05:02', reason: DECLARED_ABSENT };
    const url = await siteWith(JSON.stringify({ ...STATUS, missingSources: [missing] }));
    expect(await checkSources(url)).toMatchObject([{ grade: 'ok', text: expect.stringContaining('list of events') }]);
  });

  it.each(['<html>', '{}', ''])('is unknown when the site answers %j', async (body) => {
    expect(await checkSources(await siteWith(body))).toEqual([]);
  });
});

describe('severity of findings', () => {
  it.each([
    [0, 'ok'],
    [-2400, 'ok'],
    [3500, 'warning'],
    [-9000, 'fault'],
  ])('a clock that is %d ms ahead is %s', (aheadMs, grade) => {
    expect(clockFinding('influxdb', { aheadMs, toleranceMs: 500 })).toMatchObject({ grade });
  });

  it.each([
    [300, true, 'ok'],
    [1200, true, 'warning'],
    [7200, true, 'fault'],
    [7200, false, 'ok'],
  ])('a newest slot of %d s ago (running: %s) is %s', (age, running, grade) => {
    expect(slotFinding(NOW - age, NOW, running)).toMatchObject({ grade });
  });

  it.each([
    [1e10, 'ok'],
    [1e9, 'warning'],
    [1e8, 'fault'],
  ])('%d free bytes are %s', (free, grade) => {
    expect(freeSpaceFinding(findingsOf('disk'), free, 'data')).toMatchObject({ grade });
  });

  it('a secret in a server message is redacted', () => {
    const { text } = findingsOf('mongodb').ok('mongodb://admin:hunter2@127.0.0.1 password=hunter2');
    expect(text).not.toContain('hunter2');
  });
});

function executeSql(directory: string, file: string, sql: string): void {
  const db = new DatabaseSync(join(directory, file));
  db.exec(sql);
  db.close();
}
