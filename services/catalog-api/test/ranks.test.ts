import { nameKey } from '@lobbystats/contracts';
import fc from 'fast-check';
import { bestRanks, movedRanks } from '../src/players/ranks.ts';

const NAMES = ['A', 'a', 'B', '__proto__', 'constructor', 'Zoë'.normalize('NFD'), 'Zoë'.normalize('NFC')];
const entries = fc.array(
  fc.record({ name: fc.constantFrom(...NAMES), rank: fc.integer({ min: 1, max: 5 }) }).map((entry) => ({
    ...entry,
    rating: '',
    timeMs: 0,
  })),
  { maxLength: 8 },
);

describe('ranks of players', () => {
  it('bestRanks returns the best rank of each player', () => {
    fc.assert(
      fc.property(entries, (rows) => {
        for (const [key, rank] of bestRanks(rows)) {
          expect(rank).toBe(Math.min(...rows.filter(({ name }) => nameKey(name) === key).map((row) => row.rank)));
        }
        expect(bestRanks(rows).size).toBe(new Set(rows.map(({ name }) => nameKey(name))).size);
      }),
    );
  });

  it('movedRanks returns exactly the differences between two boards', () => {
    fc.assert(
      fc.property(entries, entries, (before, after) => {
        const ranks = new Map<string, number | null>(bestRanks(before));
        for (const [key, rank] of movedRanks(before, after)) {
          expect(ranks.get(key) ?? null).not.toBe(rank);
          if (rank === null) ranks.delete(key);
          else ranks.set(key, rank);
        }
        expect(ranks).toEqual(bestRanks(after));
      }),
    );
  });
});
