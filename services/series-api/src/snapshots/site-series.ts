import {
  DAY_SECONDS,
  formatDate,
  formatTimestamp,
  type EpochSeconds,
  type OperationQuery,
  type operations,
  type Reply,
  type Resolution,
} from '@lobbystats/contracts';
import { titleHeader } from '../titles/title-header.ts';
import { lastDays, lastSeconds, lastHours } from './periods.ts';
import type { SeriesReader } from '../database/series-store.ts';
import { round2, seriesRows } from './series-rows.ts';

const HOURS_PER_DAY = 24;

type SeriesQuery = OperationQuery<typeof operations.getOnlineSeries>;

export async function getOnlineSeries(
  store: Pick<SeriesReader, 'siteOnline'>,
  { days, resolution }: SeriesQuery,
  now: EpochSeconds,
): Promise<Reply<typeof operations.getOnlineSeries>> {
  const points = await store.siteOnline(lastSeconds(now, days * DAY_SECONDS));
  const body = seriesRows(points, resolution, (recorded_at, online_count) => ({ recorded_at, online_count }));
  return { body, lastModified: points.at(-1)?.[0] };
}

/** Slots with a missing title have no count. */
export async function getLobbySeries(
  store: Pick<SeriesReader, 'siteLobbies'>,
  { days, resolution }: SeriesQuery,
  now: EpochSeconds,
): Promise<Reply<typeof operations.getLobbySeries>> {
  const points = await store.siteLobbies(lastSeconds(now, days * DAY_SECONDS));
  const body = seriesRows(points, resolution, (recorded_at, lobby_count) => ({ recorded_at, lobby_count }));
  return { body, lastModified: points.at(-1)?.[0] };
}

export async function getDailyRegistered(
  store: Pick<SeriesReader, 'registered'>,
  { days }: { days: number },
  now: EpochSeconds,
): Promise<Reply<typeof operations.getDailyRegistered>> {
  const counts = await store.registered(lastDays(now, days));
  const body = counts.map(({ day, registered }) => ({ date: formatDate(day), registered_count: registered }));
  return { body, lastModified: counts.length === 0 ? undefined : Math.max(...counts.map(({ seenAt }) => seenAt)) };
}

export async function getDailyOnline(
  store: Pick<SeriesReader, 'siteDays'>,
  { days }: { days: number },
  now: EpochSeconds,
): Promise<Reply<typeof operations.getDailyOnline>> {
  const stored = await store.siteDays(lastDays(now, days));
  const body = stored.map((site) => ({
    date: formatDate(site.day),
    average_online: round2(site.onlineSum / site.samples),
    peak_online: site.peakOnline,
    peak_online_at: formatTimestamp(site.peakOnlineAt),
    average_lobbies: site.lobbySamples === 0 ? null : round2(site.lobbySum / site.lobbySamples),
    peak_lobbies: site.peakLobbies,
    peak_lobbies_at: site.peakLobbiesAt === null ? null : formatTimestamp(site.peakLobbiesAt),
    matches: site.matches,
  }));
  return { body, lastModified: stored.at(-1)?.newestSlot };
}

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
  return { body: { ...head, hours, resolution, history }, lastModified: points.at(-1)?.[0] };
}

/**
 * In the order asked for.
 *
 * @throws AppError `not-found` for an unknown title
 */
export async function compareGames(
  store: Pick<SeriesReader, 'title' | 'titleOnline'>,
  { titleIds, days, resolution }: OperationQuery<typeof operations.compareGames>,
  now: EpochSeconds,
): Promise<Reply<typeof operations.compareGames>> {
  const period = { hours: days * HOURS_PER_DAY, resolution };
  const histories: Awaited<ReturnType<typeof getTitleOnlineHistory>>[] = [];
  // In turn, so that other reads get their share of the store's processor.
  for (const titleId of titleIds) histories.push(await getTitleOnlineHistory(store, titleId, period, now));
  const games = histories.map(({ body: { titleId, gameName, history } }) => ({ titleId, gameName, history }));
  const newest = Math.max(...histories.map(({ lastModified = 0 }) => lastModified));
  return { body: { days, resolution, games }, lastModified: newest === 0 ? undefined : newest };
}
