import type { SqliteStore } from '@lobbystats/sqlite-store';
import type { TitleDay } from '../../domain/series-reader.ts';
import type { SeriesStore } from '../../domain/series-store.ts';
import type { RegisteredCount } from '../../domain/series-writer.ts';
import { titleKey } from './title-key.ts';

export function dailies(store: SqliteStore) {
  return {
    putRegistered: async (counts) =>
      store.transaction(() => {
        for (const count of counts) putRegistered(store, count);
      }),
    registered: async ({ after, until }) =>
      store.all<RegisteredCount>(
        `SELECT day, registered, seen_at AS seenAt FROM site_daily WHERE day > ? AND day <= ? ORDER BY day`,
        after,
        until,
      ),
    titleDays: async (titleId, { after, until }) =>
      store.all<TitleDay>(
        `SELECT day, lobby_count AS lobbyCount, unique_hosts AS uniqueHosts, peak_players AS peakPlayers,
            peak_online AS peakOnline, online_sum AS onlineSum, samples, newest_slot AS newestSlot
          FROM title_daily WHERE title_id = ? AND day > ? AND day <= ? ORDER BY day`,
        titleKey(titleId),
        after,
        until,
      ),
  } satisfies Partial<SeriesStore>;
}

/** The later reading of a day wins; on a tie the greater count. */
export function putRegistered(store: SqliteStore, { day, registered, seenAt }: RegisteredCount): void {
  store.run(
    `INSERT INTO site_daily (day, registered, seen_at) VALUES (?, ?, ?)
      ON CONFLICT DO UPDATE SET registered = excluded.registered, seen_at = excluded.seen_at
      WHERE (excluded.seen_at, excluded.registered) > (seen_at, registered)`,
    day,
    registered,
    seenAt,
  );
}
