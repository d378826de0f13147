import type { SqliteStore } from '@lobbystats/service-kit/sqlite';
import type { SeriesStore, SiteDay } from '../database/series-store.ts';

export const SITE_DAY_COLUMNS = `day, online_sum AS onlineSum, samples, peak_online AS peakOnline,
  peak_online_at AS peakOnlineAt, lobby_sum AS lobbySum, lobby_samples AS lobbySamples, peak_lobbies AS peakLobbies,
  peak_lobbies_at AS peakLobbiesAt, matches, newest_slot AS newestSlot`;

export function siteDays(store: SqliteStore) {
  return {
    siteDays: async ({ after, until }) =>
      store.all<SiteDay>(
        `SELECT ${SITE_DAY_COLUMNS} FROM site_rollup WHERE day > ? AND day <= ? ORDER BY day`,
        after,
        until,
      ),
    putSiteDays: async (days) =>
      store.transaction(() => {
        for (const day of days) {
          store
            .prepare(
              `INSERT OR REPLACE INTO site_rollup VALUES (:day, :onlineSum, :samples, :peakOnline, :peakOnlineAt,
                :lobbySum, :lobbySamples, :peakLobbies, :peakLobbiesAt, :matches, :newestSlot)`,
            )
            .run({ ...day });
        }
      }),
  } satisfies Partial<SeriesStore>;
}
