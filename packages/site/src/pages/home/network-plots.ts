import { operations } from '@lobbystats/contracts';
import { html, type Html } from '../../html.ts';
import { apiPath } from '../../links.ts';
import type { PageData } from '../../page.ts';
import { part } from '../../parts/part.ts';
import { dailyPlot } from '../../parts/daily-plot.ts';
import { networkOutages, networkOutagesOperations } from '../../parts/outages.ts';
import { plot } from '../../parts/plot.ts';
import { eventFlags, recordFlags } from '../../parts/record-flags.ts';
import { withFlags } from '../../plots/plot-data.ts';
import { onlineSeries, plottedHours, type Compare } from '../../parts/week-before.ts';
import { timePlot } from '../../plots/time-cells.ts';
import {
  snapshotCaption,
  snapshotLabel,
  snapshotPeriod,
  snapshotRanges,
  YEAR_DAYS,
  type PlotRange,
  type SnapshotRange,
} from '../../parts/ranges.ts';

const { getOnlineSeries, getLobbySeries, getDailyOnline, getNetworkRecords, listEvents } = operations;

/** Operations that {@link networkPlots} asks. */
export const networkPlotOperations = [
  ...networkOutagesOperations,
  ...[getOnlineSeries, getLobbySeries, getDailyOnline, getNetworkRecords, listEvents],
] as const;

/** Users online and open lobbies over a period. */
export async function networkPlots(range: PlotRange, compared: Compare, data: PageData): Promise<Html> {
  return range === '1y' ? yearPlots(data) : snapshotPlots(range, compared, data);
}

async function snapshotPlots(range: SnapshotRange, compared: Compare, data: PageData): Promise<Html> {
  const { days, resolution } = snapshotRanges[range];
  const query = { days, resolution };
  const period = snapshotPeriod(range, data.now);
  const [online, lobbies, outages, records, events] = await Promise.all([
    data.askPart(getOnlineSeries, {}, { ...query, days: plottedHours(range, compared) / 24 }),
    data.askPart(getLobbySeries, {}, query),
    networkOutages(range, data),
    data.askPart(getNetworkRecords),
    // In a month there are too many to tell apart.
    range === '30d' ? [] : data.askPart(listEvents),
  ]);
  const both = [...outages, ...eventFlags(events ?? [])];
  const csv = (path: string) => apiPath(path, {}, { ...query, format: 'csv' });
  return html`${part(online, (rows) =>
    plot({
      id: 'online-plot',
      caption: snapshotCaption('Players online', range),
      csv: csv(getOnlineSeries.path),
      data: withFlags(timePlot(onlineSeries(rows, range, compared), period), [
        ...both,
        ...recordFlags(records?.online, 'online'),
      ]),
    }),
  )}
  ${part(lobbies, (rows) =>
    plot({
      id: 'lobbies-plot',
      caption: snapshotCaption('Open lobbies', range),
      csv: csv(getLobbySeries.path),
      data: withFlags(
        timePlot(
          [
            {
              label: snapshotLabel('Open lobbies', range),
              rows,
              at: (row) => row.recorded_at,
              value: (row) => row.lobby_count,
            },
          ],
          period,
        ),
        [...both, ...recordFlags(records?.lobbies, 'open lobbies')],
      ),
    }),
  )}`;
}

async function yearPlots(data: PageData): Promise<Html> {
  const [days, records] = await Promise.all([
    data.askPart(getDailyOnline, {}, { days: YEAR_DAYS }),
    data.askPart(getNetworkRecords),
  ]);
  const csv = apiPath(getDailyOnline.path, {}, { days: YEAR_DAYS, format: 'csv' });
  // From the first known day on.
  const year = { now: data.now };
  return part(
    days,
    (rows) =>
      html`${dailyPlot('online', rows, csv, year, recordFlags(records?.online, 'online'))}
      ${dailyPlot('lobbies', rows, csv, year, recordFlags(records?.lobbies, 'open lobbies'))}`,
  );
}
