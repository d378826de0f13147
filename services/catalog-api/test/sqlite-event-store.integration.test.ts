import { join } from 'node:path';
import { temporaryDirectory } from '@lobbystats/test-kit';
import { openSqliteStore } from '@lobbystats/sqlite-store';
import { sqlitePlans } from '@lobbystats/test-kit/sqlite-plans';
import { catalogMigrations } from '../src/database/catalog-migrations.sqlite.ts';
import { eventArchive } from '../src/events/event-store.sqlite.ts';
import { openSqliteCatalogStore } from '../src/database/catalog-store.sqlite.ts';
import { describeEventStore } from './event-store.contract.ts';
import { announced } from './events.ts';

const newFile = () => `sqlite:${join(temporaryDirectory(), 'catalog.sqlite')}`;

describe('a file of an older release', () => {
  it('lists and archives events that an older release stored', async () => {
    const url = newFile();
    const migrations = catalogMigrations.slice(0, catalogMigrations.indexOf(eventArchive));
    const older = openSqliteStore({ url, origin: 'simulated', name: 'catalog', migrations, durability: 'full' });
    const event = announced({ id: 7 });
    older.run('INSERT INTO event VALUES (?, ?, ?, ?)', 7, 1_800_000_000, null, JSON.stringify(event));
    older.close();

    const store = openSqliteCatalogStore(url, 'simulated');
    const stored = { event, startsAt: 1_800_000_000, endsAt: null, changedAt: null, revisedAt: null };
    expect((await store.events.readEvents()).events).toEqual([stored]);
    const change = { expectedRevision: 0, seenAt: 1, changedAt: 1, put: [], removed: [], facts: [] };
    await store.events.commitEvents({ ...change, archived: [stored] });
    expect([(await store.events.readEvents()).events, await store.events.readEvent(7)]).toEqual([[], stored]);
    await store.close();
  });
});

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
