import fc from 'fast-check';
import { totalsOf } from '../src/ratings/rated-user.ts';

describe('rating average', () => {
  it.each([
    [0, 0, 5],
    [1, 1, 4.64],
    [1, 5, 5],
    [10, 10, 3],
    // 4.125 and 4.375 are halves: upwards.
    [6, 16, 4.13],
    [6, 20, 4.38],
    [1_000_000, 1_000_000, 1],
  ])('of %i ratings with %i stars is %d', (ratingCount, starSum, average) => {
    expect(totalsOf({ ratingCount, starSum })).toMatchObject({ average });
  });

  it('is the exact quotient, rounded half up to hundredths', () => {
    fc.assert(
      fc.property(fc.nat(2_000_000_000), fc.double({ min: 1, max: 5, noNaN: true }), (ratingCount, mean) => {
        const starSum = Math.min(Math.max(Math.floor(ratingCount * mean), ratingCount), 5 * ratingCount);
        const [votes, stars] = [10n + BigInt(ratingCount), 50n + BigInt(starSum)];
        const hundredths = (stars * 200n + votes) / (2n * votes);
        expect(totalsOf({ ratingCount, starSum }).average).toBe(Number(hundredths) / 100);
      }),
    );
  });

  it('has at most two decimals, lies between 1 and 5 and comes with its vote counts', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 1, max: 5 }), { maxLength: 50 }), (stars) => {
        const starSum = stars.reduce((sum, one) => sum + one, 0);
        const totals = totalsOf({ ratingCount: stars.length, starSum });
        expect(String(totals.average)).toMatch(/^[1-5](\.\d{1,2})?$/);
        expect(Math.abs(totals.average - (50 + starSum) / (10 + stars.length))).toBeLessThanOrEqual(0.005 + 1e-12);
        expect(totals).toMatchObject({
          ratingCount: stars.length,
          effectiveVotes: 10 + stars.length,
          priorOnly: stars.length === 0,
        });
      }),
    );
  });
});
