import { DAY_SECONDS, parseInstant, SLOT_SECONDS, type EpochSeconds } from '@lobbystats/contracts';
import { cellSpans, type Cells, type PlotData, type PlotSeries } from './plot-data.ts';

export interface TimeSeries<Row> {
  readonly label: string;
  readonly rows: readonly Row[];
  /** A timestamp or date. */
  readonly at: (row: Row) => string;
  readonly value: (row: Row) => number | null;
}

/** Rows of buckets have bounds. */
interface Bounds {
  readonly min?: number | undefined;
  readonly max?: number | undefined;
}

export interface Period {
  /** Seconds of the period, which ends now. Undefined: from the first known row on. */
  readonly seconds: number | undefined;
  /** Seconds of a cell. */
  readonly step: number;
  readonly now: EpochSeconds;
}

/** Series over a period up to now: empty where nothing is known. */
export function timePlot<Row extends object>(series: readonly TimeSeries<Row>[], period: Period): PlotData {
  const known = series.map(
    ({ rows, at }) => new Map(rows.map((row) => [floor(parseInstant(at(row)), period.step), row])),
  );
  const cells = timeCells(
    period,
    known.flatMap((rows) => [...rows.keys()]),
  );
  const begins = cellSpans(cells).map(({ begin }) => begin);
  return {
    kind: 'line',
    y: 'zero',
    cells,
    series: series.map(({ label, value }, index) => {
      const rows = begins.map((begin) => known[index]?.get(begin));
      return { label, values: rows.map((row) => (row === undefined ? null : value(row))), ...boundsOf(rows) };
    }),
  };
}

function boundsOf(rows: readonly (Bounds | undefined)[]): Pick<PlotSeries, 'bounds'> {
  if (!rows.some((row) => row?.max !== undefined)) return {};
  return { bounds: { low: rows.map((row) => row?.min ?? null), high: rows.map((row) => row?.max ?? null) } };
}

function timeCells({ seconds, step, now }: Period, known: readonly EpochSeconds[]): Cells {
  // Days are asked for as whole ones, all else from slot to slot.
  const grain = step < DAY_SECONDS ? SLOT_SECONDS : DAY_SECONDS;
  // The live slot is not published yet, and another clock may be ahead.
  const live = step < DAY_SECONDS ? now - SLOT_SECONDS : now;
  const newest = floor(
    known.reduce((most, at) => Math.max(most, at), live),
    grain,
  );
  const oldest = known.reduce((least, at) => Math.min(least, at), newest - WEEK_SECONDS + grain);
  const from = seconds === undefined ? floor(oldest, step) : firstWhole(Math.max(now, newest) - seconds, grain, step);
  const until = floor(newest, step) + step;
  return {
    unit: step === SLOT_SECONDS ? 'slot' : step < DAY_SECONDS ? 'bucket' : 'day',
    from,
    until,
    begins: step,
    ...(step > SLOT_SECONDS && until > Math.max(now, newest) && { isUnfinished: true }),
  };
}

/** The first cell of which all is asked for: what is after an instant. */
function firstWhole(after: EpochSeconds, grain: number, step: number): EpochSeconds {
  return Math.ceil((floor(after, grain) + grain) / step) * step;
}

/** The shortest axis of a period that begins with the first known row. */
const WEEK_SECONDS = 7 * DAY_SECONDS;

function floor(seconds: number, step: number): EpochSeconds {
  return Math.floor(seconds / step) * step;
}
