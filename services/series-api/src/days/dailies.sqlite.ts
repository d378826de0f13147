import { setImmediate } from 'node:timers/promises';
import type { SqliteStore } from '@lobbystats/service-kit/sqlite';
import { DAY_SECONDS } from '@lobbystats/contracts';
import type { TitleDay, SeriesStore, RegisteredCount } from '../database/series-store.ts';
import { raiseTitleRecords } from './title-records.sqlite.ts';
import { titleKey } from '../titles/titles.sqlite.ts';

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

/** Gaps are shorter than a day, so the matches that were open on a day are the runs that overlap it. */
const ROLL_UP = `
  INSERT INTO title_daily
      (title_id, day, lobby_count, unique_hosts, peak_players, peak_online, online_sum, samples, newest_slot)
    SELECT counted.id, :day, ifnull(runs, 0), ifnull(hosts, 0), peak_players, peak_online, online_sum, samples, newest_slot
      FROM (
        SELECT title.id, ifnull(max(lobby_players), 0) AS peak_players, max(online) AS peak_online,
            sum(online) AS online_sum, count(*) AS samples, max(slot) AS newest_slot
          FROM title CROSS JOIN title_snapshot ON title_id = title.id AND slot >= :day AND slot < :end
          GROUP BY title.id
      ) AS counted
      LEFT JOIN (
        SELECT title_id, count(*) AS runs, count(DISTINCT host_id) AS hosts
          FROM match_run WHERE ended_at >= :day AND started_at < :end
          GROUP BY title_id
      ) AS played ON played.title_id = counted.id
      WHERE true
    ON CONFLICT DO UPDATE SET lobby_count = excluded.lobby_count, unique_hosts = excluded.unique_hosts,
        peak_players = excluded.peak_players, peak_online = excluded.peak_online, online_sum = excluded.online_sum,
        samples = excluded.samples, newest_slot = excluded.newest_slot
      WHERE excluded.samples >= samples`;

export function rollups(store: SqliteStore) {
  return {
    rollUp: async (days) => {
      for (const day of days) {
        const bounds = { day, end: day + DAY_SECONDS };
        store.transaction(() => {
          store.prepare(ROLL_UP).run(bounds);
          raiseTitleRecords(store, bounds);
        });
        await setImmediate();
      }
    },
  } satisfies Partial<SeriesStore>;
}
