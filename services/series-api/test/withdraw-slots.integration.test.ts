import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { formatInstant, SLOT_SECONDS } from '@lobbystats/contracts';
import { temporaryDirectory } from '@lobbystats/test-kit';
import fc from 'fast-check';
import { openSqliteSeriesStore } from '../src/adapters/sqlite/sqlite-series-store.ts';
import { withdrawSqliteSlots, type Withdrawal } from '../src/admin.ts';
import { storeSlots } from '../src/domain/store-slots.ts';
import type { SlotObservation } from '../src/domain/snapshots.ts';

/** Half an hour before midnight, so that matches and ranges span two days. */
const FIRST = Date.UTC(2026, 0, 15, 23, 30) / 1000;
const NOW = FIRST + 3600;
const TITLES = ['4d530064', '4d530065'];

const match = fc.record({
  host: fc.constantFrom('Ember', 'Moss', 'Owl'),
  players: fc.integer({ min: 1, max: 8 }),
  maxPlayers: fc.constant(8),
});
const title = fc.record({
  online: fc.integer({ min: 0, max: 40 }),
  sessions: fc.constant(1),
  players: fc.constant(1),
  matches: fc.uniqueArray(match, { selector: ({ host }) => host, maxLength: 3 }),
});
/** Slots of an hour; null: missed. */
const slots = fc.array(
  fc.option(
    fc.record({
      registered: fc.option(fc.integer({ min: 1, max: 9 })),
      online: fc.integer({ min: 0, max: 99 }),
      titles: fc.tuple(title, title),
    }),
    { freq: 5 },
  ),
  { minLength: 1, maxLength: 12 },
);

async function fill(observed: readonly SlotObservation[]): Promise<string> {
  const url = `sqlite:${join(temporaryDirectory(), 'series.sqlite')}`;
  const store = openSqliteSeriesStore({ url, origin: 'simulated' });
  for (const observation of observed) await storeSlots(store, [{ observation, past: false }], NOW);
  await store.close();
  return url;
}

/** All rows but those of hosts and titles, which stay known, with the names of hosts. */
function contentOf(url: string): unknown {
  const db = new DatabaseSync(url.slice('sqlite:'.length));
  const hosts = new Map(
    db
      .prepare('SELECT id, name FROM host')
      .all()
      .map((row) => [row['id'], row['name']]),
  );
  const tables =
    'site_snapshot title_snapshot match_snapshot match_run site_daily title_daily site_rollup title_record';
  const content = tables.split(' ').map((table) => {
    const rows = db.prepare(`SELECT * FROM ${table}`).all();
    return [
      table,
      rows.map(({ host_id: id, ...row }) => JSON.stringify({ ...row, host: hosts.get(id ?? null) })).sort(),
    ];
  });
  db.close();
  return content;
}

const observationsOf = (hour: readonly (object | null)[]) =>
  hour.flatMap((slot, index): SlotObservation[] => {
    if (slot === null) return [];
    const { titles, ...site } = slot as { registered: number | null; online: number; titles: object[] };
    const named = titles.map((one, position) => ({ titleId: TITLES[position], ...one }));
    return [{ slot: formatInstant(FIRST + index * SLOT_SECONDS), ...site, titles: named } as SlotObservation];
  });

const isWithin = ({ fromInclusive, toInclusive }: Withdrawal, { slot }: SlotObservation) =>
  slot >= formatInstant(fromInclusive) && slot <= formatInstant(toInclusive);

describe('withdrawing slots', () => {
  it('leaves the store as if they had never been stored', async () => {
    await fc.assert(
      fc.asyncProperty(slots, fc.nat(11), fc.nat(11), async (hour, one, other) => {
        const observed = observationsOf(hour);
        const withdrawal = {
          fromInclusive: FIRST + Math.min(one, other) * SLOT_SECONDS,
          toInclusive: FIRST + Math.max(one, other) * SLOT_SECONDS,
        };
        const url = await fill(observed);
        const { slots: count } = await withdrawSqliteSlots({ url, origin: 'simulated' }, withdrawal);
        const remaining = observed.filter((observation) => !isWithin(withdrawal, observation));
        expect(count).toBe(observed.length - remaining.length);
        expect(contentOf(url)).toEqual(contentOf(await fill(remaining)));
      }),
      { numRuns: 40 },
    );
  });

  it('removes one title alone, whose slots have no number of lobbies then', async () => {
    const matches = [{ host: 'Ember', players: 2, maxPlayers: 8 }];
    const at = (index: number, online: number) => ({
      slot: formatInstant(FIRST + index * SLOT_SECONDS),
      registered: 9,
      online: 50,
      titles: TITLES.map((titleId) => ({ titleId, online, sessions: 1, players: 2, matches })),
    });
    const url = await fill([at(0, 7), at(1, 2929), at(2, 8)]);
    const slot = FIRST + SLOT_SECONDS;
    const report = await withdrawSqliteSlots(
      { url, origin: 'simulated' },
      { fromInclusive: slot, toInclusive: slot, titleId: TITLES[0] },
    );
    expect(report).toMatchObject({ slots: 1, titleSnapshots: 1, matchSnapshots: 1 });
    expect(report.changes).toContainEqual({
      what: `record of ${TITLES[0] ?? ''}, online`,
      before: '2929 at 2026-01-15 23:35:00',
      after: '8 at 2026-01-15 23:40:00',
    });
    expect(report.changes.filter(({ what }) => what.includes(TITLES[1] ?? ''))).toEqual([]);
    const store = openSqliteSeriesStore({ url, origin: 'simulated' });
    const period = { after: FIRST - 1, until: NOW };
    expect(await store.siteOnline(period)).toHaveLength(3);
    expect(await store.siteLobbies(period)).toHaveLength(2);
    expect(await store.titleOnline(TITLES[0] ?? '', period)).toHaveLength(2);
    expect(await store.titleOnline(TITLES[1] ?? '', period)).toHaveLength(3);
    await store.close();
  });
});
