import { formatDate, formatTimestamp, type EpochSeconds, type operations, type Reply } from '@lobbystats/contracts';
import { lastDays } from '../series/periods.ts';
import { round2 } from '../series/points.ts';
import { titleHeader, type TitleQueries } from '../titles/titles.queries.ts';
import type { SiteDayQueries } from './site-days.queries.ts';
import type { TitleDay, TitleDayQueries } from './title-days.queries.ts';

export async function getDailyRegistered(
  store: SiteDayQueries,
  { days }: { days: number },
  now: EpochSeconds,
): Promise<Reply<typeof operations.getDailyRegistered>> {
  const counts = await store.registered(lastDays(now, days));
  const body = counts.map(({ day, registered }) => ({ date: formatDate(day), registered_count: registered }));
  return { body, lastModified: counts.length === 0 ? undefined : Math.max(...counts.map(({ seenAt }) => seenAt)) };
}

export async function getDailyOnline(
  store: SiteDayQueries,
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

/**
 * By UTC day, ascending; `limit` keeps the newest rows.
 *
 * @throws AppError `not-found` for an unknown title
 */
export async function getDailyStats(
  store: TitleQueries & TitleDayQueries,
  titleId: string,
  { days, limit }: { days: number; limit?: number | undefined },
  now: EpochSeconds,
): Promise<Reply<typeof operations.getDailyStats>> {
  const head = await titleHeader(store, titleId);
  const rows = (await store.titleDays(titleId, lastDays(now, days))).slice(-(limit ?? days));
  return { body: { ...head, days, stats: rows.map(dayRow) }, lastModified: rows.at(-1)?.newestSlot };
}

function dayRow({ day, lobbyCount, peakPlayers, uniqueHosts, peakOnline, onlineSum, samples }: TitleDay) {
  return {
    date: formatDate(day),
    lobby_count: lobbyCount,
    peak_players: peakPlayers,
    unique_hosts: uniqueHosts,
    peak_online: peakOnline,
    average_online: round2(onlineSum / samples),
  };
}
