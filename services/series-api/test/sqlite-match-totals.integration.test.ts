import { SqliteStore } from '@lobbystats/service-kit/sqlite';
import { cleanUp } from '@lobbystats/test-kit';
import { openSqliteSeriesStore } from '../src/database/series-store.sqlite.ts';
import { getMatchStats } from '../src/matches/matches.ts';
import { commitSlots } from './commit-slots.ts';
import { HARBOR, NOW } from './observations.ts';

const HOSTS = 40;

it('SQLite counts the matches of a title itself: no match is read for the statistics', async () => {
  const store = openSqliteSeriesStore({ url: 'sqlite::memory:', origin: 'simulated' });
  cleanUp(() => store.close());
  const matches = Object.fromEntries(Array.from({ length: HOSTS }, (_, index) => [`Host ${index}`, 3]));
  await commitSlots(store, [[NOW, { titles: { [HARBOR]: { matches } } }]]);

  const reads = jest.spyOn(SqliteStore.prototype, 'all');
  cleanUp(() => reads.mockRestore());
  const { body } = await getMatchStats(store, HARBOR, NOW);
  expect(body).toMatchObject({ totalMatches: HOSTS, uniqueHosts: HOSTS, peakPlayers: 3 * HOSTS });
  expect(reads.mock.results.flatMap(({ value }) => value as unknown[])).toEqual([]);
});
