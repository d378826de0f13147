import { formatTimestamp } from '@lobbystats/contracts';
import { outages } from '../src/parts/outages.ts';

/** 2027-01-15 08:00:00 UTC */
const NEWEST = 1_800_000_000;

const SLOT = 300;
const at = (index: number) => NEWEST + index * SLOT;
const points = (...counts: (number | null)[]) =>
  counts.flatMap((online_count, index) =>
    online_count === null ? [] : [{ recorded_at: formatTimestamp(at(index)), online_count }],
  );
const found = (...counts: (number | null)[]) =>
  outages(points(...counts), SLOT).map(({ at: from, until }) => [from, until]);

describe('outages of the network', () => {
  it.each<[string, (number | null)[], number[][]]>([
    ['of one slot', [600, 32, 590], [[1, 2]]],
    ['that last', [600, 600, 32, 30, 300, 500, 600], [[2, 5]]],
    ['that have not ended', [600, 20, 10], [[1, 2]]],
    ['over two slots', [600, 400, 100, 580], [[2, 3]]],
    ['one after the other', [600, 10, 600, 600, 600, 10, 600], [[1, 2], [5, 6]]], // prettier-ignore
  ])('are found: %s', (_what, counts, expected) => {
    expect(found(...counts)).toEqual(expected.map((range) => range.map(at)));
  });

  it.each<[string, (number | null)[]]>([
    ['no counts', []],
    ['a usual evening', [600, 560, 520, 470, 430, 400, 350, 300, 250, 210, 180]],
    ['few users', [12, 3]],
    ['a gap of an hour', [600, ...Array<null>(12).fill(null), 200]],
    ['a fall from which nobody comes back', [600, ...Array<number>(145).fill(30), 30]],
  ])('are none in %s', (_what, counts) => {
    expect(found(...counts)).toEqual([]);
  });

  it('are found by the lowest count of a bucket', () => {
    const buckets = [600, 500, 590].map((online_count, index) => ({
      ...{ recorded_at: formatTimestamp(NEWEST + index * 3600), online_count },
      min: index === 1 ? 20 : 580,
    }));
    expect(outages(buckets, 3600)).toMatchObject([{ at: NEWEST + 3600, until: NEWEST + 7200 }]);
  });
});
