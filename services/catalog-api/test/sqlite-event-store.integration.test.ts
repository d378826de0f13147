import { join } from 'node:path';
import { temporaryDirectory } from '@lobbystats/test-kit';
import { sqlitePlans } from '@lobbystats/test-kit/sqlite-plans';
import { openSqliteCatalogStore } from '../src/open-store.ts';
import { describeEventStore } from './event-store.contract.ts';

const newFile = () => `sqlite:${join(temporaryDirectory(), 'catalog.sqlite')}`;

describe('list of events in SQLite', () => {
  it('reads listed events without scanning archived ones', async () => {
    const store = openSqliteCatalogStore('sqlite::memory:', 'simulated');
    const plans = sqlitePlans();
    const steps = await plans.during(() => store.events.readEvents());
    expect(steps.filter((step) => /\bevent\b/.test(step))).toEqual(['SCAN event USING INDEX listed_event']);
    plans.stop();
    await store.close();
  });
});

describeEventStore('SQLite in memory', async () => openSqliteCatalogStore('sqlite::memory:', 'simulated'));
describeEventStore('SQLite in a file', async () => openSqliteCatalogStore(newFile(), 'simulated'));
