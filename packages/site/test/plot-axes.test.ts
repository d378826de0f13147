import { HOUR_SECONDS, SLOT_SECONDS, weekdays } from '@lobbystats/contracts';
import fc from 'fast-check';
import { expectationOf } from '../src/parts/expectation.ts';
import { plot } from '../src/parts/plot.ts';
import { axisEnd, type PlotData } from '../src/plots/plot-data.ts';
import { expectedShape, yRange, yTicks } from '../src/plots/plot-shape.ts';
import { expectedText } from '../src/plots/plot-texts.ts';

/** A Friday, 2027-01-15 08:00:00 UTC */
const NOW = 1_800_000_000;
const AREA = { left: 10, top: 20, width: 100, height: 50 };
const values = fc.array(fc.option(fc.integer({ min: 0, max: 100_000 })), { minLength: 1, maxLength: 30 });

function plotOf(y: PlotData['y'], all: readonly (number | null)[]): PlotData {
  const cells = { unit: 'slot' as const, from: NOW, until: NOW + all.length * SLOT_SECONDS, begins: SLOT_SECONDS };
  return { kind: 'line', y, cells, series: [{ label: 'A', values: all }] };
}

describe('what is usual after now', () => {
  const hours = weekdays.flatMap((weekday, day) =>
    Array.from({ length: 24 }, (_, hour) => ({ weekday, hour, average_online: 100 * day + hour, peak_online: 900 })),
  );
  const activity = { titleId: '00000001', gameName: 'A', days: 28 as const, hours };
  const expected = expectationOf(activity, NOW)!;

  it('is that of the next hours of the weekday, from now on', () => {
    expect(expected.points.map(([at, usual]) => [(at - NOW) / HOUR_SECONDS, usual])).toEqual(
      Array.from({ length: 9 }, (_, index) => [index + 0.5, 408 + index]),
    );
    const late = expectationOf(activity, NOW + 15.75 * HOUR_SECONDS);
    expect(late?.points.slice(0, 2).map(([, usual]) => usual)).toEqual([423, 500]);
    expect(late?.points[0]?.[0]).toBe(NOW + 15.75 * HOUR_SECONDS);
  });

  it('is unknown if one of the hours is', () => {
    const known = hours.filter(({ weekday, hour }) => weekday !== 'friday' || hour !== 12);
    expect(expectationOf({ ...activity, hours: known }, NOW)).toBeUndefined();
  });

  it('lengthens the axes of the plot, within which it is drawn and read', () => {
    const data = { ...plotOf('zero', [10, 20]), expected };
    expect([axisEnd(data), yRange(data)[1]]).toEqual([NOW + 8.5 * HOUR_SECONDS, 945]);
    const { line, band } = expectedShape(data, AREA)!;
    const numbers = `${line} ${band}`.split(/[ ,]/).map(Number);
    expect(numbers.every((at, index) => (index % 2 === 0 ? at >= 10 && at <= 110 : at >= 20 && at <= 70))).toBe(true);
    expect(expectedText(data, NOW + 3 * HOUR_SECONDS)).toBe('Usual: about 410, up to 900');
  });
});

describe('axis texts of the picture', () => {
  it('are a few round values within the axis, greater ones above, lower ranks above', () => {
    fc.assert(
      fc.property(fc.constantFrom('zero' as const, 'fit' as const, 'rank' as const), values, (y, all) => {
        const ticks = yTicks(
          plotOf(
            y,
            all.map((value) => (value === null ? null : value + 1)),
          ),
        );
        expect(ticks.length).toBeLessThanOrEqual(5);
        expect(ticks.every(({ down }) => down >= -1e-9 && down <= 1 + 1e-9)).toBe(true);
        const downs = ticks.map(({ down }) => down);
        expect(downs).toEqual(downs.toSorted((a, b) => (y === 'rank' ? a - b : b - a)));
      }),
    );
  });

  it('say that an axis does not begin at 0', async () => {
    const textOf = async (y: PlotData['y']) =>
      String(await plot({ id: 'p', caption: 'P', data: plotOf(y, [900, 950]) }));
    expect(await textOf('fit')).toContain('the axis does not begin at 0');
    expect(await textOf('zero')).not.toContain('does not begin');
  });
});
