import type { Reply, EpochSeconds, operations, Resolution } from '@lobbystats/contracts';
import { reply } from './reply.ts';
import { lastHours } from './periods.ts';
import type { SeriesReader } from './series-reader.ts';
import { seriesRows } from './series-rows.ts';
import { titleHeader } from './title-header.ts';

/** @throws AppError `not-found` for an unknown title */
export async function getTitleOnlineHistory(
  store: Pick<SeriesReader, 'title' | 'titleOnline'>,
  titleId: string,
  { hours, resolution }: { hours: number; resolution: Resolution },
  now: EpochSeconds,
): Promise<Reply<typeof operations.getTitleOnlineHistory>> {
  const head = await titleHeader(store, titleId);
  const points = await store.titleOnline(titleId, lastHours(now, hours));
  const history = seriesRows(points, resolution, (recorded_at, online_count) => ({ recorded_at, online_count }));
  return reply({ ...head, hours, resolution, history }, points.at(-1)?.[0]);
}
