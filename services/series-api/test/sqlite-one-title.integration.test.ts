import { cleanUp } from '@lobbystats/test-kit';
import { sqlitePlans } from '@lobbystats/test-kit/sqlite-plans';
import { openSqliteSeriesStore } from '../src/database/series-store.sqlite.ts';
import { listLobbies } from '../src/matches/lobbies.ts';
import { getLatestActivity } from '../src/snapshots/online-users.ts';
import { commitSlots } from './commit-slots.ts';
import { HARBOR, NOW, RALLY } from './observations.ts';

const PAGE = { sort: 'players', limit: 10, offset: 0 } as const;

describe('the newest slot of one title in SQLite', () => {
  it.each([
    ['its activity', getLatestActivity, ['title_snapshot', 'match_snapshot', 'title']],
    ['its lobbies', listLobbies, ['title_snapshot', 'match_snapshot', 'title', 'match_run']],
  ] as const)('%s is found by its ID, without a read of the other titles', async (_what, read, tables) => {
    const plans = sqlitePlans();
    cleanUp(() => plans.stop());
    const store = openSqliteSeriesStore({ url: 'sqlite::memory:', origin: 'simulated' });
    cleanUp(() => store.close());
    await commitSlots(store, [
      [NOW, { titles: { [HARBOR]: { matches: { Ada: 1 } }, [RALLY]: { matches: { Eve: 1 } } } }],
    ]);
    await store.putTitleNames(1, [{ titleId: HARBOR, name: 'Harbor Racing' }]);

    const steps = await plans.during(() => read(store, { ...PAGE, titleId: HARBOR }, NOW));
    for (const table of tables) {
      const [byTitle] = steps.filter((step) => step.startsWith(`SEARCH ${table} `));
      expect(byTitle).toMatch(/\((?:title_id=\?|rowid=\?|slot=\? AND title_id=\?)/);
    }
    expect(steps.filter((step) => /^SCAN (?!json_each|\(subquery)/.test(step))).toEqual([]);
  });
});
