import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openSqliteStore } from '@lobbystats/sqlite-store';
import { sqlitePlans } from '@lobbystats/test-kit/sqlite-plans';
import { migrations } from '../src/adapters/sqlite/schema.ts';
import { openSqliteSeriesStore } from '../src/adapters/sqlite/sqlite-series-store.ts';
import { commitSlots } from './commit-slots.ts';
import { HARBOR, NOW, SLOT } from './observations.ts';

const directory = mkdtempSync(join(tmpdir(), 'hostings-'));
afterAll(() => {
  rmSync(directory, { recursive: true });
});

const EVER = { after: 0, until: NOW };

describe('hostings in SQLite', () => {
  it('contain the matches of a file of an older release', async () => {
    const url = `sqlite:${join(directory, 'older.sqlite')}`;
    const older = { url, name: 'series', origin: 'simulated', migrations: migrations.slice(0, 1) };
    const file = openSqliteStore({ ...older, durability: 'normal' });
    file.run('INSERT INTO host (id, name, seen_at) VALUES (7, ?, ?)', 'Émile', NOW);
    file.run('INSERT INTO match_run VALUES (?, ?, 7, ?, 1, 8, 1)', Number.parseInt(HARBOR, 16), NOW, NOW - SLOT);
    file.close();
    const store = openSqliteSeriesStore({ url, origin: 'simulated' });
    const hosting = { host: 'Émile', matches: 1, startedAt: NOW - SLOT, endedAt: NOW };
    expect(await store.hostings('émile', EVER)).toEqual([hosting]);
    await store.close();
  });

  it('are found by indexes', async () => {
    const plans = sqlitePlans();
    const store = openSqliteSeriesStore({ url: 'sqlite::memory:', origin: 'simulated' });
    await commitSlots(store, [[NOW, { titles: { [HARBOR]: { matches: { Ada: 1 } } } }]]);
    const steps = await plans.during(() => store.hostings('ada', EVER));
    expect(steps.filter((step) => step.startsWith('SEARCH'))).toEqual([
      expect.stringContaining('host USING INDEX host_by_player (player_key=?)'),
      expect.stringContaining('match_run USING COVERING INDEX match_run_by_host (host_id=? AND ended_at>?)'),
    ]);
    expect(steps.filter((step) => step.startsWith('SCAN'))).toEqual([]);
    await store.close();
    plans.stop();
  });
});
