import { DAY_SECONDS } from '@lobbystats/contracts';
import type { SqliteStore } from '@lobbystats/sqlite-store';
import type { SeriesStore } from '../../domain/series-store.ts';

/** Gaps are shorter than a day, so a day's hosts are those of the runs that overlap it. */
const ROLL_UP = `
  INSERT INTO title_daily
      (title_id, day, lobby_count, unique_hosts, peak_players, peak_online, online_sum, samples, newest_slot)
    SELECT counted.id, :day, ifnull(begun, 0), ifnull(hosts, 0), peak_players, peak_online, online_sum, samples, newest_slot
      FROM (
        SELECT title.id, ifnull(max(lobby_players), 0) AS peak_players, max(online) AS peak_online,
            sum(online) AS online_sum, count(*) AS samples, max(slot) AS newest_slot
          FROM title CROSS JOIN title_snapshot ON title_id = title.id AND slot >= :day AND slot < :end
          GROUP BY title.id
      ) AS counted
      LEFT JOIN (
        SELECT title_id, sum(started_at >= :day) AS begun, count(DISTINCT host_id) AS hosts
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
    rollUp: async (days) =>
      store.transaction(() => {
        for (const day of days) store.prepare(ROLL_UP).run({ day, end: day + DAY_SECONDS });
      }),
  } satisfies Partial<SeriesStore>;
}
