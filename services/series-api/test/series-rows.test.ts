import { formatTimestamp, parseInstant } from '@lobbystats/contracts';
import fc from 'fast-check';
import type { SeriesPoint } from '../src/series/points.ts';
import { seriesRows, createTimestampFormatter } from '../src/series/points.ts';
import { NOW, SLOT } from './observations.ts';

const row = (at: string, count: number) => ({ at, count });

const series = fc
  .uniqueArray(fc.integer({ min: 0, max: 3000 }), { maxLength: 200 })
  .chain((indexes) =>
    fc
      .array(fc.integer({ min: 0, max: 2 ** 31 - 1 }), { minLength: indexes.length, maxLength: indexes.length })
      .map((counts) =>
        indexes
          .toSorted((a, b) => a - b)
          .map((index, position): SeriesPoint => [NOW + index * SLOT, counts[position] ?? 0]),
      ),
  );

describe('series rows', () => {
  it('a raw series has one row for each point', () => {
    expect(seriesRows([[NOW, 5]], 'raw', row)).toEqual([{ at: '2027-01-15 08:00:00', count: 5 }]);
    expect(seriesRows([], '60', row)).toEqual([]);
  });

  it('buckets cover every point once, with start, rounded mean, minimum and maximum', () => {
    fc.assert(
      fc.property(series, fc.constantFrom('30', '60', '1440'), (points, resolution) => {
        const seconds = Number(resolution) * 60;
        const rows = seriesRows(points, resolution, row);
        const counted = rows.map(({ at, count, min, max }) => {
          const start = parseInstant(at);
          const counts = points.filter(([slot]) => slot >= start && slot < start + seconds).map(([, value]) => value);
          const mean = counts.reduce((sum, value) => sum + value, 0) / counts.length;
          expect({ count, min, max }).toEqual({
            count: Math.round(mean),
            min: Math.min(...counts),
            max: Math.max(...counts),
          });
          expect(start % seconds).toBe(0);
          return counts.length;
        });
        expect(counted.reduce((sum, count) => sum + count, 0)).toBe(points.length);
        expect(rows.map(({ at }) => at)).toEqual(rows.map(({ at }) => at).toSorted());
      }),
    );
  });

  it('the timestamp formatter equals formatTimestamp for instants in any order', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: 4_000_000_000 })), (instants) => {
        const timestamp = createTimestampFormatter();
        expect(instants.map(timestamp)).toEqual(instants.map(formatTimestamp));
      }),
    );
  });
});
