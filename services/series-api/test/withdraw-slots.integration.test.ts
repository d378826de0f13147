import { join } from 'node:path';
import { temporaryDirectory } from '@lobbystats/test-kit';
import { openSqliteSeriesStore } from '../src/database/series-store.sqlite.ts';
import { withdrawSqliteSlots } from '../src/admin.ts';
import { describeWithdrawal } from './withdraw-slots.contract.ts';

describeWithdrawal('SQLite', {
  numRuns: 40,
  create: async () => {
    const at = { url: `sqlite:${join(temporaryDirectory(), 'series.sqlite')}`, origin: 'simulated' };
    return {
      open: async () => openSqliteSeriesStore(at),
      withdraw: async (withdrawal) => withdrawSqliteSlots(at, withdrawal),
    };
  },
});
