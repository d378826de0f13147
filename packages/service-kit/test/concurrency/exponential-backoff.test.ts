import fc from 'fast-check';
import { exponentialBackoff } from '../../src/concurrency/index.ts';

describe('exponentialBackoff', () => {
  it('doubles the delay from attempt to attempt, up to the maximum', () => {
    expect([1, 2, 3, 4, 5].map(exponentialBackoff(100, 900))).toEqual([100, 200, 400, 800, 900]);
  });

  it('never decreases and never exceeds the maximum', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 1000 }),
        fc.integer({ min: 1000 }),
        fc.integer({ min: 1, max: 500 }),
        (firstMs, maxMs, attempt) => {
          const delayOf = exponentialBackoff(firstMs, maxMs);
          expect(delayOf(attempt)).toBeLessThanOrEqual(Math.min(delayOf(attempt + 1), maxMs));
        },
      ),
    );
  });
});
