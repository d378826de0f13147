import { nameKey } from '@lobbystats/contracts';
import fc from 'fast-check';
import type { FoundEntry } from '../src/boards/entries.queries.ts';
import { nearAnotherPlayer } from '../src/search/search-by-players.ts';

const entries = fc.array(
  fc.record({
    titleId: fc.constantFrom('00000001', '00000002'),
    leaderboardId: fc.integer({ min: 1, max: 2 }),
    playerName: fc.constantFrom('Ember Fox', 'EMBER FOX', 'Pike', 'Quill', '__proto__'),
    timeMs: fc.integer({ min: 0, max: 40 }),
    leaderboardName: fc.constant('Board'),
    isTime: fc.constant(true),
    rank: fc.integer({ min: 1, max: 9 }),
    rating: fc.constant(''),
  }),
  { maxLength: 30 },
);

describe('nearAnotherPlayer', () => {
  it('returns entries within the tolerance of another player on the same board, in input order', () => {
    fc.assert(
      fc.property(entries, fc.integer({ min: 0, max: 12 }), (found, tolerance) => {
        expect(nearAnotherPlayer(found, tolerance)).toEqual(compareAllPairs(found, tolerance));
      }),
      { numRuns: 500 },
    );
  });

  it('returns both entries when the tolerance equals their distance, and none below it', () => {
    const [fox, pike] = [entry({ playerName: 'Ember Fox', timeMs: 0 }), entry({ playerName: 'Pike', timeMs: 60_000 })];
    expect(nearAnotherPlayer([fox, pike], 60_000)).toEqual([fox, pike]);
    expect(nearAnotherPlayer([fox, pike], 59_999)).toEqual([]);
  });

  it('returns nothing for a board with several entries of a single player', () => {
    const twice = [entry({ playerName: 'Ember Fox', timeMs: 1 }), entry({ playerName: 'ember fox', timeMs: 1 })];
    expect(nearAnotherPlayer(twice, 60_000)).toEqual([]);
  });
});

function compareAllPairs(found: readonly FoundEntry[], tolerance: number): FoundEntry[] {
  return found.filter((one) =>
    found.some(
      (other) =>
        other.titleId === one.titleId &&
        other.leaderboardId === one.leaderboardId &&
        nameKey(other.playerName) !== nameKey(one.playerName) &&
        Math.abs(other.timeMs - one.timeMs) <= tolerance,
    ),
  );
}

function entry(fields: Pick<FoundEntry, 'playerName' | 'timeMs'>): FoundEntry {
  const board = { titleId: '00000001', leaderboardId: 1, leaderboardName: 'Board', isTime: true };
  return { ...board, rank: 1, rating: '', ...fields };
}
