import fc from 'fast-check';
import type { FoundEntry } from '../src/boards/entries.queries.ts';
import { catalogOf } from '../src/titles/catalog.ts';
import { fetchSearchRows } from '../src/search/search-rows.ts';
import { TitleView } from '../src/titles/title-view.ts';

const NAMED = '00000001';
const NAMELESS = '00000002';

const home = { seenAt: 1, name: 'Harbor Racing', image: '', publisher: '', productCode: '' };
const view = new TitleView(
  catalogOf(1, [
    { titleId: NAMED, home, page: null, changedAt: 1 },
    { titleId: NAMELESS, home: null, page: null, changedAt: 1 },
  ]),
);

describe('fetchSearchRows', () => {
  it('returns rows up to the limit and detects further rows, wherever nameless titles occur', async () => {
    const titleIds = fc.array(fc.constantFrom(NAMED, NAMELESS), { maxLength: 60 });
    await fc.assert(
      fc.asyncProperty(titleIds, fc.integer({ min: 1, max: 20 }), async (ids, limit) => {
        const all = ids.map((titleId, index) => entry(titleId, index + 1));
        const { rows, truncated } = await fetchSearchRows(view, limit, async (count) => all.slice(0, count));
        const expected = all.filter(({ titleId }) => titleId === NAMED).map(({ rank }) => rank);
        expect(rows.map(({ rank }) => rank)).toEqual(expected.slice(0, limit));
        expect(truncated).toBe(expected.length > limit);
      }),
    );
  });

  it('queries the store once when every title has a name', async () => {
    const asked: number[] = [];
    await fetchSearchRows(view, 10, async (count) => {
      asked.push(count);
      return Array.from({ length: count }, (_, index) => entry(NAMED, index + 1));
    });
    expect(asked).toEqual([11]);
  });
});

function entry(titleId: string, rank: number): FoundEntry {
  const board = { leaderboardId: 1, leaderboardName: 'Board', isTime: true };
  return { titleId, ...board, playerName: 'Ember Fox', rank, rating: '00:01.000', timeMs: 1000 };
}
