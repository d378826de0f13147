import {
  DAY_SECONDS,
  formatDate,
  type EpochSeconds,
  type operations,
  type Reply,
  type Resolution,
} from '@lobbystats/contracts';
import { reply } from './reply.ts';
import { lastDays, lastSeconds } from './periods.ts';
import type { SeriesReader } from './series-reader.ts';
import { seriesRows } from './series-rows.ts';

interface SeriesQuery {
  days: number;
  resolution: Resolution;
}

export async function getOnlineSeries(
  store: Pick<SeriesReader, 'siteOnline'>,
  { days, resolution }: SeriesQuery,
  now: EpochSeconds,
): Promise<Reply<typeof operations.getOnlineSeries>> {
  const points = await store.siteOnline(lastSeconds(now, days * DAY_SECONDS));
  const body = seriesRows(points, resolution, (recorded_at, online_count) => ({ recorded_at, online_count }));
  return reply(body, points.at(-1)?.[0]);
}

/** Slots with a missing title have no count. */
export async function getLobbySeries(
  store: Pick<SeriesReader, 'siteLobbies'>,
  { days, resolution }: SeriesQuery,
  now: EpochSeconds,
): Promise<Reply<typeof operations.getLobbySeries>> {
  const points = await store.siteLobbies(lastSeconds(now, days * DAY_SECONDS));
  const body = seriesRows(points, resolution, (recorded_at, lobby_count) => ({ recorded_at, lobby_count }));
  return reply(body, points.at(-1)?.[0]);
}

export async function getDailyRegistered(
  store: Pick<SeriesReader, 'registered'>,
  { days }: { days: number },
  now: EpochSeconds,
): Promise<Reply<typeof operations.getDailyRegistered>> {
  const counts = await store.registered(lastDays(now, days));
  const body = counts.map(({ day, registered }) => ({ date: formatDate(day), registered_count: registered }));
  return reply(body, newest(counts.map(({ seenAt }) => seenAt)));
}

function newest(instants: readonly EpochSeconds[]): EpochSeconds | undefined {
  return instants.length === 0 ? undefined : Math.max(...instants);
}
