import { DAY_SECONDS, SLOT_SECONDS, type EpochSeconds } from '@lobbystats/contracts';
import type { PlotData } from './plot-data.ts';
import { timePlot } from './time-cells.ts';

interface Row {
  readonly recorded_at: string;
  readonly online_count: number;
}

/** Users online in the last 24 hours. */
export function onlinePlot(rows: readonly Row[], now: EpochSeconds): PlotData {
  return timePlot<Row>([{ label: '', rows, at: (row) => row.recorded_at, value: (row) => row.online_count }], {
    seconds: DAY_SECONDS,
    step: SLOT_SECONDS,
    now,
  });
}
