import { sqlitePlans } from '@lobbystats/test-kit/sqlite-plans';
import { openSqliteSeriesStore } from '../src/database/series-store.sqlite.ts';
import { commitSlots } from './commit-slots.ts';
import { HARBOR, NOW } from './observations.ts';

const EVER = { after: 0, until: NOW };

describe('hostings in SQLite', () => {
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
