import { execFile } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { parseInstant, SLOT_SECONDS } from '@lobbystats/contracts';
import { createClient } from '@lobbystats/client';
import { run } from '@lobbystats/cli/run-captured';
import { eventually, fixedClock, temporaryDirectory } from '@lobbystats/test-kit';
import { asyncBufferFromFile, parquetReadObjects } from 'hyparquet';
import { simulatedSlots } from '../standalone/expect-series.ts';
import { describeWithPython, PYTHON } from '../describe-with-python.ts';
import { runSystem, type RunningSystem } from '../standalone/run-system.ts';

const clock = fixedClock('2026-01-31T12:00:05Z');
const DATE = '2026-01-30';
const DAY = parseInstant(`${DATE} 00:00:00`);
const SLOTS = 288;

const withPython = describeWithPython('duckdb', 'pandas', 'pyarrow');

type Rows = Record<string, unknown>[];

describe('export of a day', () => {
  let system: RunningSystem;
  let directory: string;

  const read = async (dataset: string): Promise<Rows> =>
    parquetReadObjects({ file: await asyncBufferFromFile(join(directory, dataset, `${DATE}.parquet`)) });
  const exportDay = (...args: string[]) =>
    run(['export', '--out', directory, ...args], { GATEWAY_URL: system.url }, clock);

  beforeAll(async () => {
    system = await runSystem({
      clock,
      world: { titles: 12, openMatches: 12, players: 200, boards: 200, entries: 2500 },
      env: { BACKFILL_DAYS: '2' },
      scope: 'file',
    });
    directory = join(temporaryDirectory('file'), 'exports');
    const client = createClient({ baseUrl: system.url });
    await eventually(
      async () => {
        const online = await client.getOnlineSeries({ days: 3 });
        const ofDay = online.filter(({ recorded_at }) => recorded_at.startsWith(DATE));
        const { changes } = await client.listChanges({ limit: 1 });
        if (ofDay.length < SLOTS || !changes[0]?.changedAt.startsWith('2026-01-31')) throw new Error('not filled yet');
      },
      { timeoutMs: 120_000, everyMs: 200 },
    );
    const { code, error } = await exportDay('--date', DATE);
    if (code !== 0) throw new Error(error);
  });

  it('has every snapshot of the network and of its games', async () => {
    const truth = simulatedSlots(system.simulator.world, DAY, DAY + (SLOTS - 1) * SLOT_SECONDS);
    const network = await read('network');
    expect(network).toHaveLength(SLOTS);
    const snapshots = await read('snapshots');
    const expected = [...truth.values()].flatMap(({ titles }) => titles.filter(({ online }) => online > 0));
    const online = (rows: readonly { online: number }[]) => rows.reduce((sum, row) => sum + row.online, 0);
    expect(online(snapshots as { online: number }[])).toBe(online(expected));
    expect(snapshots[0]).toEqual({
      recorded_at: expect.any(Date),
      title_id: expect.stringMatching(/^[0-9a-f]{8}$/),
      game: expect.any(String),
      online: expect.any(Number),
    });
  });

  it('has the matches that ended on the day, and its changes', async () => {
    const matches = await read('matches');
    const statistics = await createClient({ baseUrl: system.url }).getDailyOnline({ days: 3 });
    const begun = matches.filter(({ started_at }) => (started_at as Date).getTime() >= DAY * 1000);
    const total = statistics.find(({ date }) => date === DATE)?.matches ?? 0;
    // Those that begin on the day and end after it are in the next file.
    expect(begun.length).toBeGreaterThan(0.9 * total);
    expect(begun.length).toBeLessThanOrEqual(total);
    const changes = await read('changes');
    expect(changes.length).toBeGreaterThan(0);
    const days = changes.map(({ changed_at }) => (changed_at as Date).toISOString().slice(0, 10));
    expect(new Set(days)).toEqual(new Set([DATE]));
  });

  it('has every leaderboard as it stood at the end of the day', async () => {
    const { world } = system.simulator;
    const rows = await read('leaderboards');
    const hour = DAY + 23 * 3600;
    const expected = world
      .titlesAt(hour)
      .flatMap(({ titleId }) =>
        world
          .boardsAt(hour, titleId)
          .flatMap(({ id }) =>
            (world.board(hour, titleId, id)?.entries ?? []).map(({ name }) => `${titleId} ${id} ${name}`),
          ),
      );
    const keys = rows.map(
      ({ title_id, leaderboard_id, player }) => `${String(title_id)} ${String(leaderboard_id)} ${String(player)}`,
    );
    expect(keys.sort()).toEqual(expected.sort());
  });

  withPython('read by DuckDB and pandas', () => {
    it('has the same rows in one line of each', async () => {
      const matches = await read('matches');
      const script = `
import duckdb, pandas
print(duckdb.sql("SELECT count(*), count(DISTINCT title_id) FROM '${directory}/matches/*.parquet'").fetchall()[0])
matches = pandas.read_parquet("${directory}/matches")
print((len(matches), matches.title_id.nunique()))
print(matches.ended_at.dt.strftime("%Y-%m-%d").unique().tolist())`;
      const { stdout } = await promisify(execFile)(PYTHON, ['-c', script]);
      const counts = `(${matches.length}, ${new Set(matches.map(({ title_id }) => title_id)).size})`;
      expect(stdout).toBe([counts, counts, `['${DATE}']`, ''].join('\n'));
    });
  });

  it('can be repeated, and replaces its files', async () => {
    const before = await read('matches');
    expect(await exportDay()).toMatchObject({ code: 0 });
    expect(await read('matches')).toEqual(before);
    expect(readdirSync(join(directory, 'matches'))).toEqual([`${DATE}.parquet`]);
  });

  it.each([
    ['2026-01-31'],
    ['2026-02-01'],
    ['2026-01-01'],
    ['2026-1-30'],
    ['yesterday'],
    ['2026-01-32'],
    ['2026-02-31'],
  ])('of %s is refused', async (date) => {
    expect(await exportDay('--date', date)).toMatchObject({ code: 2, error: expect.stringContaining('--date') });
  });
});
