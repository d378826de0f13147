import { SLOT_MATCHES_MAX } from '@lobbystats/contracts';
import { observedTitle } from '@lobbystats/test-kit';
import fc from 'fast-check';
import { boundMatches, matchesOf, missingOf } from '../src/network/slot-observation.ts';

const slotWith = (counts: readonly (number | null)[]) => ({
  ...{ slot: '2026-01-15T18:05:00Z', registered: 9, online: 9 },
  titles: counts.map((count, index) =>
    observedTitle({
      titleId: index.toString(16).padStart(8, '0'),
      matches: count === null ? null : Array.from({ length: count }, () => ({ host: 'Fox' })),
    }),
  ),
});
const countsOf = ({ titles }: ReturnType<typeof boundMatches>) => titles.map(({ matches }) => matches?.length ?? null);

describe('the matches of a slot', () => {
  it('are all kept up to the limit', () => {
    expect(countsOf(boundMatches(slotWith([3, null, SLOT_MATCHES_MAX - 3])))).toEqual([3, null, SLOT_MATCHES_MAX - 3]);
  });

  it('are missing for the titles that have the most of too many', () => {
    expect(countsOf(boundMatches(slotWith([7000, 3, 9000, 0, 3000])))).toEqual([null, 3, null, 0, 3000]);
    expect(countsOf(boundMatches(slotWith([12, SLOT_MATCHES_MAX + 1])))).toEqual([12, null]);
  });

  it('are never more than the limit, and none is missing that fits with all smaller ones', () => {
    const counts = fc.array(fc.integer({ min: 0, max: 6000 }), { maxLength: 8 });
    fc.assert(
      fc.property(counts, (given) => {
        const bounded = boundMatches(slotWith(given));
        expect(matchesOf(bounded)).toBeLessThanOrEqual(SLOT_MATCHES_MAX);
        const sorted = given.toSorted((one, other) => one - other);
        const fitting = sorted.filter(
          (_, index) => sorted.slice(0, index + 1).reduce((sum, count) => sum + count, 0) <= SLOT_MATCHES_MAX,
        );
        expect(missingOf(bounded)).toBe(given.length - fitting.length);
      }),
    );
  });
});
