import { eventEnd, operations, parseInstant, type EventStatus } from '@lobbystats/contracts';
import type { PlotFlag } from '../../plots/plot-data.ts';
import type { PageData } from '../../page.ts';
import { outages } from '../../parts/outages.ts';
import { snapshotRanges, type SnapshotRange } from '../../parts/ranges.ts';
import { formatCount } from '../../parts/text.ts';
import { LISTED_EVENTS } from './lists.ts';

const { getGameRecords, getOnlineSeries, listEvents } = operations;

/** Operations that {@link gameFlags} asks. */
export const gameFlagsOperations = [getGameRecords, getOnlineSeries, listEvents] as const;

const BEGUN: readonly EventStatus[] = ['running', 'past'];

/** Marks for a plot of a game: its record, its events, and outages of the network. */
export async function gameFlags(titleId: string, range: SnapshotRange, data: PageData): Promise<readonly PlotFlag[]> {
  const { days, resolution, step } = snapshotRanges[range];
  const [records, network, ...events] = await Promise.all([
    data.askPart(getGameRecords, { titleId }),
    data.askPart(getOnlineSeries, {}, { days, resolution }),
    ...BEGUN.map((status) => data.askPart(listEvents, {}, { titleId, status, limit: LISTED_EVENTS })),
  ]);
  const { online } = records ?? {};
  return [
    ...outages(network ?? [], step),
    ...events
      .flatMap((some) => some ?? [])
      .map(({ title, starts_at, ends_at }): PlotFlag => ({
        kind: 'event',
        at: parseInstant(starts_at),
        until: eventEnd(parseInstant(starts_at), ends_at === null ? null : parseInstant(ends_at)),
        text: title,
      })),
    ...(online
      ? [{ kind: 'record' as const, at: parseInstant(online.at), text: `${formatCount(online.count)} online` }]
      : []),
  ];
}
