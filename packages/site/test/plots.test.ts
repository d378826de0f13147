import { DAY_SECONDS, formatDate, formatTimestamp, HOUR_SECONDS, SLOT_SECONDS } from '@lobbystats/contracts';
import fc from 'fast-check';
import {
  cellAt,
  cellBegin,
  cellCount,
  cellX,
  withFlags,
  type PlotData,
  type PlotFlag,
} from '../src/plots/plot-data.ts';
import { plotShapes, yRange } from '../src/plots/plot-shape.ts';
import { cellsText, describeCell } from '../src/plots/plot-texts.ts';
import { timePlot, type Period } from '../src/plots/time-cells.ts';
import { plot } from '../src/parts/plot.ts';

/** 2027-01-15 08:00:00 UTC */
const NOW = 1_800_000_000;
const DAY: Period = { seconds: DAY_SECONDS, step: SLOT_SECONDS, now: NOW };
const AREA = { left: 10, top: 20, width: 100, height: 50 };

const periods = fc
  .tuple(
    fc.constantFrom(1, 7, 30, 365),
    fc.constantFrom(SLOT_SECONDS, 1800, HOUR_SECONDS, DAY_SECONDS),
    fc.nat(DAY_SECONDS),
  )
  .map(([days, step, later]): Period & { seconds: number } => ({
    seconds: days * DAY_SECONDS,
    step,
    now: NOW + later,
  }));

/** Slots before now that have a count, in seconds. */
const known = fc.uniqueArray(fc.integer({ min: 1, max: 40 * 288 }), { maxLength: 20 });
const values = fc.array(fc.option(fc.integer({ min: 0, max: 100_000 })), { minLength: 1, maxLength: 30 });

function onlinePlot(ages: readonly number[], period: Period): PlotData {
  const newest = Math.floor(period.now / SLOT_SECONDS) * SLOT_SECONDS;
  const rows = ages.map((age) => ({ recorded_at: formatTimestamp(newest - age * SLOT_SECONDS), online_count: age }));
  return timePlot(
    [{ label: 'Users online', rows, at: (row) => row.recorded_at, value: (row) => row.online_count }],
    period,
  );
}

function plotOf(y: PlotData['y'], all: readonly (number | null)[], rest: Partial<PlotData> = {}): PlotData {
  const cells = { unit: 'slot' as const, from: NOW, until: NOW + all.length * SLOT_SECONDS, begins: SLOT_SECONDS };
  return { kind: 'line', y, cells, series: [{ label: 'A', values: all }], ...rest };
}

describe('x axis of a plot over time', () => {
  it('is the period that was asked for, whatever is known of it', () => {
    fc.assert(
      fc.property(periods, known, (period, ages) => {
        const { cells } = onlinePlot(ages, period);
        const nothingKnown = onlinePlot([], period).cells;
        expect(cells).toEqual(nothingKnown);
        const { seconds, step, now } = period;
        // It ends with the newest cell, and begins a period before, on whole cells.
        expect(now - cells.until).toBeLessThan(SLOT_SECONDS);
        expect(cells.until - now).toBeLessThanOrEqual(step);
        expect(Math.abs(cells.until - cells.from - seconds)).toBeLessThanOrEqual(step);
      }),
    );
  });

  it('begins with the first cell of which all is asked for, also before the newest slot is published', () => {
    fc.assert(
      fc.property(periods, (period) => {
        const { seconds, step, now } = period;
        const { from } = onlinePlot([1], period).cells;
        expect(from).toBeGreaterThan(now - seconds);
        expect(from - step).toBeLessThanOrEqual(now - seconds);
      }),
    );
  });

  it('has a value for each known slot of the period, and none elsewhere', () => {
    fc.assert(
      fc.property(known, fc.nat(DAY_SECONDS), (ages, later) => {
        const now = NOW + later;
        const { cells, series } = onlinePlot(ages, { ...DAY, now });
        const newest = Math.floor(now / SLOT_SECONDS) * SLOT_SECONDS;
        // What is exactly a period old is before it.
        const isInPeriod = (age: number): boolean => newest - age * SLOT_SECONDS > now - DAY_SECONDS;
        const inPeriod = ages.filter(isInPeriod).toSorted((a, b) => b - a);
        expect(series[0]?.values.filter((value) => value !== null)).toEqual(inPeriod);
        expect(cellCount(cells)).toBe(series[0]?.values.length);
      }),
    );
  });

  it('includes slots of a clock that is ahead', () => {
    const { cells, series } = onlinePlot([-3], DAY);
    expect([cells.until, series[0]?.values.at(-1)]).toEqual([NOW + 4 * SLOT_SECONDS, -3]);
  });

  it('begins with the first known day if no period is given, and is a week at least', () => {
    const rows = (days: number) => [{ date: formatDate(NOW - days * DAY_SECONDS), count: 1 }];
    const daysOf = (days: number) => {
      const at = ({ date }: { date: string }) => date;
      const series = [{ label: '', rows: rows(days), at, value: () => 1 }];
      return cellCount(timePlot(series, { seconds: undefined, step: DAY_SECONDS, now: NOW }).cells);
    };
    expect([daysOf(0), daysOf(400)]).toEqual([7, 401]);
  });
});

it('the value at an x is that of the cell that contains it', () => {
  const regular = fc.integer({ min: 1, max: 400 }).map((count) => plotOf('zero', Array<number>(count).fill(1)).cells);
  const changes = fc.array(fc.integer({ min: 1, max: 1000 }), { minLength: 1, maxLength: 20 }).map((distances) => {
    let at = NOW;
    const begins = distances.map((distance) => (at += distance));
    return { unit: 'change' as const, from: begins[0] ?? NOW, until: at + 500, begins };
  });
  fc.assert(
    fc.property(fc.oneof(regular, changes), fc.double({ min: 0, max: 0.999, noNaN: true }), (cells, share) => {
      const x = cells.from + share * (cells.until - cells.from);
      const index = cellAt(cells, x) ?? Number.NaN;
      expect(cellBegin(cells, index)).toBeLessThanOrEqual(x);
      expect(x).toBeLessThan(cellBegin(cells, index + 1));
      for (let each = 0; each < cellCount(cells); each += 1) expect(cellAt(cells, cellX(cells, each))).toBe(each);
    }),
  );
});

describe('y axis', () => {
  it.each(['zero', 'fit', 'rank'] as const)('contains all values and bounds: %s', (y) => {
    fc.assert(
      fc.property(values, fc.nat(500), (all, distance) => {
        const counts = all.map((value) => (value === null ? null : value + 1));
        const high = counts.map((value) => (value === null ? null : value + distance));
        const [least, greatest] = yRange(
          plotOf(y, [], { series: [{ label: '', values: counts, bounds: { low: counts, high } }] }),
        );
        const known = [...counts, ...high].filter((value) => value !== null);
        expect(least).toBeLessThan(greatest);
        expect(known.every((value) => least <= value && value <= greatest)).toBe(true);
      }),
    );
  });

  it('begins at 0, or above a rank 0 that does not exist', () => {
    const firsts = [1, 2, 50].map((rank) => yRange(plotOf('rank', [rank, 60]))[0]);
    expect(firsts.map(Math.ceil)).toEqual([1, 1, 50]);
    expect(yRange(plotOf('zero', [30, 50]))[0]).toBe(0);
  });

  it('fits large counts, of which 0 would make a flat line', () => {
    const [least, greatest] = yRange(plotOf('fit', [48_200, 48_300]));
    expect([least > 48_100, greatest < 48_400]).toEqual([true, true]);
  });
});

describe('picture of a plot', () => {
  const numbersOf = (points: string) => points.split(/[ ,]/).map(Number);

  it.each(['line', 'bars', 'steps'] as const)('is within its area: %s', (kind) => {
    fc.assert(
      fc.property(
        values,
        fc.boolean(),
        fc.constantFrom('zero' as const, 'fit' as const, 'rank' as const),
        (all, isUnfinished, y) => {
          // There is no rank 0.
          const shown = y === 'rank' ? all.map((value) => (value === null ? null : Math.max(1, value))) : all;
          const data = plotOf(y, shown, { kind });
          const [shape] = plotShapes({ ...data, cells: { ...data.cells, unit: 'day', isUnfinished } }, AREA);
          for (const points of Object.values(shape!).flat()) {
            const [xs, ys] = [0, 1].map((odd) => numbersOf(points).filter((_, index) => index % 2 === odd)) as [
              number[],
              number[],
            ];
            expect(xs.every((x) => x >= 10 && x <= 110)).toBe(true);
            expect(ys.every((at) => at >= 20 && at <= 70)).toBe(true);
          }
        },
      ),
    );
  });

  it('leaves out what is unknown, and shows a single value between gaps', () => {
    const [shape] = plotShapes(plotOf('zero', [null, 10, null, 10, 20, null, null, null, null, null]), AREA);
    expect(shape?.lines).toEqual(['20,46 30,46', '45,46 55,22']);
  });

  it('has the line to an unfinished day apart', () => {
    const data = plotOf('zero', [10, 20, 5]);
    const [shape] = plotShapes({ ...data, cells: { ...data.cells, unit: 'day', isUnfinished: true } }, AREA);
    expect([shape?.lines, shape?.unfinished].map((lines) => lines?.map((line) => line.split(' ').length))).toEqual([
      [2],
      [2],
    ]);
    expect(shape?.areas.map((area) => Math.max(...numbersOf(area).filter((_, index) => index % 2 === 0)))).toEqual([
      60,
    ]);
  });

  it('fills the side of lower ranks', () => {
    const [shape] = plotShapes(plotOf('rank', [1, 5]), AREA);
    const ys = numbersOf(shape?.areas[0] ?? '').filter((_, index) => index % 2 === 1);
    expect([ys[0], ys.at(-1)]).toEqual([70, 70]);
    expect(ys[1]).toBeLessThan(ys[2]!);
  });
});

it('names cells by what they are', () => {
  const text = (unit: PlotData['cells']['unit'], begins: number, isUnfinished = false) => {
    const bounds = { low: [80], high: [135] };
    const cells = { unit, from: NOW, until: NOW + begins, begins, isUnfinished };
    const series = [{ label: 'Mean', values: [104.5], bounds }];
    return describeCell(plotOf('zero', [], { cells, series }), 0).join(' · ');
  };
  expect(text('slot', SLOT_SECONDS)).toBe('Fri 15 Jan, 08:00 UTC · Mean: 104.5 (80 to 135)');
  expect(text('bucket', HOUR_SECONDS, true)).toBe('Fri 15 Jan, 08:00 to 09:00 UTC (so far) · Mean: 104.5 (80 to 135)');
  expect(text('day', DAY_SECONDS, true)).toBe('Fri 15 Jan (so far) · Mean: 104.5 (80 to 135)');
  expect(text('week', 7 * DAY_SECONDS)).toBe('Fri 15 Jan to Thu 21 Jan · Mean: 104.5 (80 to 135)');
  expect(text('change', HOUR_SECONDS)).toBe('Fri 15 Jan, 08:00 to 09:00 UTC · Mean: 104.5 (80 to 135)');
  expect(text('change', 0)).toBe('Fri 15 Jan, 08:00 UTC · Mean: 104.5 (80 to 135)');
});

it('has the flags of its period, in each cell that they are in', () => {
  const instant = (at: number) => ({ kind: 'record' as const, at, text: 'instant' });
  const lasting = (at: number, until: number) => ({ kind: 'event' as const, at, until, text: 'lasting' });
  const textsOf = (...flags: PlotFlag[]) => {
    const data = withFlags(plotOf('zero', [1, 2, 3]), flags);
    return [0, 1, 2].map((index) => describeCell(data, index).length - 2);
  };
  const end = NOW + 3 * SLOT_SECONDS;
  expect(textsOf(lasting(NOW, NOW + 60), lasting(NOW + 120, NOW + 180))).toEqual([1, 0, 0]);
  expect(textsOf(instant(NOW))).toEqual([1, 0, 0]);
  expect(textsOf(instant(NOW + SLOT_SECONDS))).toEqual([0, 1, 0]);
  expect([instant(NOW - 1), instant(end)].map((flag) => textsOf(flag))).toEqual([[0, 0, 0], [0, 0, 0]]); // prettier-ignore
  expect(textsOf(lasting(NOW - 600, NOW + SLOT_SECONDS))).toEqual([1, 0, 0]);
  expect(textsOf(lasting(NOW + SLOT_SECONDS, end + 600))).toEqual([0, 1, 1]);
  expect([lasting(NOW - 600, NOW), lasting(end, end + 600)].map((flag) => textsOf(flag))).toEqual([[0, 0, 0], [0, 0, 0]]); // prettier-ignore
});

it('names several cells by where they begin and end', () => {
  const text = (unit: PlotData['cells']['unit'], begins: number, isUnfinished = false) => {
    const cells = { unit, from: NOW, until: NOW + 30 * begins, begins, isUnfinished };
    return cellsText(plotOf('zero', [], { cells }), 20, 29);
  };
  expect(text('slot', SLOT_SECONDS)).toBe('Fri 15 Jan, 09:40 to 10:25');
  expect(text('bucket', HOUR_SECONDS, true)).toBe('Sat 16 Jan, 04:00 to 14:00 (so far)');
  expect(text('day', DAY_SECONDS)).toBe('Thu 4 Feb to Sat 13 Feb');
  expect(text('week', 7 * DAY_SECONDS)).toBe('Fri 4 Jun to Thu 12 Aug');
});

describe('table of a plot', () => {
  const rowsOf = async (data: PlotData) => {
    const text = String(await plot({ id: 'p', caption: 'P', data }));
    return [...text.matchAll(/<tr id[^]*?<\/tr>/g)].map(([row]) =>
      row
        .replace(/<[^>]*>/g, ' ')
        .trim()
        .split(/\s{2,}/),
    );
  };

  it('has the mean of several cells with the lowest and the highest', async () => {
    const counts = Array.from({ length: 62 }, (_, index) => index);
    const rows = await rowsOf(plotOf('zero', counts));
    expect([rows.length, rows[0], rows.at(-1)?.[1]]).toEqual([
      21,
      ['Fri 15 Jan, 12:55 to 13:05', '60.0 (59 to 61)'],
      '0.5 (0 to 1)',
    ]);
  });

  it('has the newest changes, each with its value', async () => {
    const begins = Array.from({ length: 40 }, (_, index) => NOW + index * HOUR_SECONDS);
    const cells = { unit: 'change' as const, from: NOW, until: NOW + 40 * HOUR_SECONDS, begins };
    const ranks = begins.map((_, index) => index + 1);
    const rows = await rowsOf(plotOf('rank', ranks, { kind: 'steps', cells }));
    expect([rows.length, rows[0], rows.at(-1)]).toEqual([31, ['Sat 16 Jan, 23:00', '40'], ['Fri 15 Jan, 17:00', '10']]);
  });
});
