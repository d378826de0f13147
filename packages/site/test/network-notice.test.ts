import { formatTimestamp } from '@lobbystats/contracts';
import { suddenFall } from '../src/pages/home/network-notice.ts';

/** 2027-01-15 08:00:00 UTC */
const NEWEST = 1_800_000_000;

/** Snapshots up to the newest one; null: a missing one. */
const series = (...counts: (number | null)[]) =>
  counts.flatMap((online_count, index) =>
    online_count === null
      ? []
      : [{ recorded_at: formatTimestamp(NEWEST - (counts.length - 1 - index) * 300), online_count }],
  );

const counts = (points: Parameters<typeof suddenFall>[0]) => {
  const fall = suddenFall(points);
  return fall && [fall.before.online_count, fall.after.online_count, fall.newest.online_count];
};

describe('suddenFall', () => {
  it.each([
    ['in one slot', series(600, 597, 32), [600, 32, 32]],
    ['over two slots', series(600, 400, 100), [600, 100, 100]],
    ['that lasts for hours', series(600, 32, ...Array<number>(100).fill(30)), [600, 32, 30]],
    ['to nobody, after a missing snapshot', series(600, null, 0), [600, 0, 0]],
    ['from which few have come back', series(600, 32, 300), [600, 32, 300]],
  ])('finds one %s', (_what, points, expected) => {
    expect(counts(points)).toEqual(expected);
  });

  it.each([
    ['no data', []],
    ['one snapshot', series(600)],
    ['a usual evening', series(600, 560, 520, 470, 430, 400, 350, 300, 250, 210, 180, 150)],
    ['a network that has recovered', series(600, 32, 30, 500)],
    ['few users', series(12, 3)],
    ['a gap of an hour', series(600, ...Array<null>(12).fill(null), 200)],
    ['a rise', series(32, 600)],
  ])('finds none in %s', (_what, points) => {
    expect(suddenFall(points)).toBeUndefined();
  });
});
