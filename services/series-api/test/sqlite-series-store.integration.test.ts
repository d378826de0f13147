import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { openSqliteSeriesStore } from '../src/open-store.ts';
import { commitSlots } from './commit-slots.ts';
import { HARBOR, NOW, slotsFrom, type SlotSketch } from './observations.ts';
import { describeSeriesStore } from './series-store.contract.ts';
import { describeWithdrawal } from './series-store-withdrawal.contract.ts';

const directory = mkdtempSync(join(tmpdir(), 'series-store-'));
afterAll(() => {
  rmSync(directory, { recursive: true });
});

let files = 0;
const fresh = () => `sqlite:${join(directory, `${(files += 1)}.sqlite`)}`;

describeSeriesStore('SQLite in memory', () => openSqliteSeriesStore({ url: 'sqlite::memory:', origin: 'simulated' }));
describeSeriesStore('SQLite in a file', () => openSqliteSeriesStore({ url: fresh(), origin: 'simulated' }));

describeWithdrawal('SQLite', {
  numRuns: 40,
  create: async () => openSqliteSeriesStore({ url: 'sqlite::memory:', origin: 'simulated' }),
});

describe('SQLite series file', () => {
  it('has the same data after it is reopened', async () => {
    const url = fresh();
    const first = openSqliteSeriesStore({ url, origin: 'simulated' });
    await commitSlots(first, [[NOW, { online: 4, titles: { [HARBOR]: { matches: { Ada: 2 } } } }]]);
    await first.close();
    const second = openSqliteSeriesStore({ url, origin: 'simulated' });
    expect(await second.siteOnline({ after: 0, until: NOW })).toEqual([[NOW, 4]]);
    expect(await second.runsBetween(0, NOW)).toHaveLength(1);
    await second.close();
  });

  it('a file of another network is refused, naming NETWORK_ORIGIN', async () => {
    const url = fresh();
    await openSqliteSeriesStore({ url, origin: 'simulated' }).close();
    expect(() => openSqliteSeriesStore({ url, origin: 'elsewhere' })).toThrow(/NETWORK_ORIGIN/);
  });

  it('purge removes hosts without matches', async () => {
    const url = fresh();
    const store = openSqliteSeriesStore({ url, origin: 'simulated' });
    await commitSlots(
      store,
      slotsFrom(NOW, 4).map((slot, index): [number, SlotSketch] => [
        slot,
        { titles: { [HARBOR]: { matches: { Stays: 1, [index === 0 ? 'Leaves' : 'Later']: 1 } } } },
      ]),
    );
    while (await store.purge({ snapshots: NOW, dailies: 0 }, 1));
    await store.close();
    const file = new DatabaseSync(url.replace('sqlite:', ''));
    expect(file.prepare('SELECT name FROM host ORDER BY name').all()).toMatchObject([
      { name: 'Later' },
      { name: 'Stays' },
    ]);
    file.close();
  });
});
