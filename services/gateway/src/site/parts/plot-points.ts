import { parseInstant } from '@lobbystats/contracts';
import type { PlotData } from '../plot-data.ts';

export interface TimeSeries<Row> {
  readonly label: string;
  readonly rows: readonly Row[];
  /** A timestamp or date. */
  readonly at: (row: Row) => string;
  readonly value: (row: Row) => number | null;
}

/** Series over a common time axis. Where a point is missing, the line has a gap. @param step in seconds */
export function timePlot<Row>(
  series: readonly TimeSeries<Row>[],
  step: number,
  kind: PlotData['kind'] = 'line',
): PlotData {
  const known = series.map(
    ({ rows, at, value }) => new Map(rows.map((row) => [parseInstant(at(row)), value(row)] as const)),
  );
  const times = [...new Set(known.flatMap((points) => [...points.keys()]))].sort((a, b) => a - b);
  const xs = times.flatMap((x, index) => {
    const before = times[index - 1];
    return before !== undefined && x - before > 1.5 * step ? [before + step, x] : [x];
  });
  return {
    axis: 'time',
    kind,
    xs,
    series: series.map(({ label }, index) => ({ label, values: xs.map((x) => known[index]?.get(x) ?? null) })),
  };
}
