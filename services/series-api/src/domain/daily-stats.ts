import { formatDate, type EpochSeconds, type operations, type Reply } from '@lobbystats/contracts';
import { reply } from './reply.ts';
import { lastDays } from './periods.ts';
import type { SeriesReader, TitleDay } from './series-reader.ts';
import { titleHeader } from './title-header.ts';

/**
 * By UTC day, ascending; `limit` keeps the newest rows.
 *
 * @throws AppError `not-found` for an unknown title
 */
export async function getDailyStats(
  store: Pick<SeriesReader, 'title' | 'titleDays'>,
  titleId: string,
  { days, limit }: { days: number; limit?: number | undefined },
  now: EpochSeconds,
): Promise<Reply<typeof operations.getDailyStats>> {
  const head = await titleHeader(store, titleId);
  const rows = (await store.titleDays(titleId, lastDays(now, days))).slice(-(limit ?? days));
  const body = { ...head, days, stats: rows.map(dayRow) };
  return reply(body, rows.at(-1)?.newestSlot);
}

function dayRow({ day, lobbyCount, peakPlayers, uniqueHosts, peakOnline, onlineSum, samples }: TitleDay) {
  return {
    date: formatDate(day),
    lobby_count: lobbyCount,
    peak_players: peakPlayers,
    unique_hosts: uniqueHosts,
    peak_online: peakOnline,
    average_online: Math.round((onlineSum / samples) * 100) / 100,
  };
}
