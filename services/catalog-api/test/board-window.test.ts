import fc from 'fast-check';
import { windowAround } from '../src/leaderboards/leaderboard.ts';

const cases = fc
  .record({ total: fc.integer({ min: 1, max: 300 }), limit: fc.integer({ min: 1, max: 100 }), at: fc.nat() })
  .map(({ total, limit, at }) => ({ total, limit, place: at % total }));

describe('windowAround', () => {
  it('the window lies within the board, contains the position, and has the full length', () => {
    fc.assert(
      fc.property(cases, ({ total, limit, place }) => {
        const { offset, limit: length } = windowAround(place, { total, limit });
        const end = Math.min(offset + length, total);
        expect(length).toBe(limit);
        expect(offset).toBeGreaterThanOrEqual(0);
        expect(offset).toBeLessThanOrEqual(place);
        expect(place).toBeLessThan(end);
        expect(end - offset).toBe(Math.min(limit, total));
      }),
    );
  });

  it('the window is centred, with at most one more entry below the position, unless it touches an end', () => {
    fc.assert(
      fc.property(cases, ({ total, limit, place }) => {
        const { offset } = windowAround(place, { total, limit });
        const behind = offset + limit - 1 - place;
        const touchesAnEnd = offset === 0 || offset + limit >= total;
        expect(touchesAnEnd || [0, 1].includes(behind - (place - offset))).toBe(true);
      }),
    );
  });

  it.each([
    { place: 0, total: 100, limit: 25, offset: 0 },
    { place: 12, total: 100, limit: 25, offset: 0 },
    { place: 13, total: 100, limit: 25, offset: 1 },
    { place: 50, total: 100, limit: 25, offset: 38 },
    { place: 99, total: 100, limit: 25, offset: 75 },
    { place: 5, total: 10, limit: 2, offset: 5 },
    { place: 5, total: 10, limit: 1, offset: 5 },
    { place: 2, total: 3, limit: 25, offset: 0 },
  ])(
    'a window of $limit around position $place of $total starts at offset $offset',
    ({ place, total, limit, offset }) => {
      expect(windowAround(place, { total, limit })).toEqual({ offset, limit });
    },
  );
});
