import { DAY_SECONDS, SLOT_SECONDS, type EpochSeconds } from '@lobbystats/contracts';
import type { SqliteStore } from '@lobbystats/service-kit/sqlite';
import type { SeriesStore } from '../database/series-store.ts';
import { raiseTitleRecords } from '../days/title-records.sqlite.ts';
import { titleKey } from '../titles/titles.sqlite.ts';

const MARK = `INSERT INTO withdrawn_slot (slot, until) VALUES (?, ?)
  ON CONFLICT DO UPDATE SET until = max(until, excluded.until)`;
const RAISE_TO_OLDER_DAYS = `INSERT INTO title_record (title_id, measure, count, at)
  SELECT title_id, 'online', max(peak_online), day FROM title_daily WHERE day <= ? GROUP BY title_id
  ON CONFLICT DO UPDATE SET count = excluded.count, at = excluded.at WHERE excluded.count > count`;
const OF_TITLES = ['title_snapshot', 'match_snapshot', 'match_run', 'title_daily', 'title_record'];

export function withdrawals(store: SqliteStore) {
  return {
    removeSlots: async ({ from, to }, days) =>
      store.transaction(() => {
        for (const table of ['match_snapshot', 'site_snapshot']) {
          store.run(`DELETE FROM ${table} WHERE slot BETWEEN ? AND ?`, from, to);
        }
        const ofTitles = 'title_id IN (SELECT id FROM title)';
        store.run(`DELETE FROM title_snapshot WHERE ${ofTitles} AND slot BETWEEN ? AND ?`, from, to);
        for (const day of days) {
          store.run('DELETE FROM site_rollup WHERE day = ?', day);
          store.run(`DELETE FROM title_daily WHERE ${ofTitles} AND day = ?`, day);
        }
        store.run('DELETE FROM site_daily WHERE seen_at BETWEEN ? AND ?', from, to);
        store.run('DELETE FROM title_record WHERE at BETWEEN ? AND ?', from, to);
      }),
    raiseRecords: async (days) =>
      store.transaction(() => {
        // First, since snapshots have the time of a record, and days only its day.
        for (const day of days) raiseTitleRecords(store, { day, end: day + DAY_SECONDS });
        store.run(RAISE_TO_OLDER_DAYS, days[0] ?? 0);
      }),
    markWithdrawn: async ({ from, to }, at) =>
      store.transaction(() => {
        for (let slot = from; slot <= to; slot += SLOT_SECONDS) store.run(MARK, slot, at);
      }),
    withdrawnSlots: async ({ after, until }) =>
      new Map(
        store
          .all<{ slot: EpochSeconds; until: EpochSeconds }>(
            'SELECT slot, until FROM withdrawn_slot WHERE slot > ? AND slot <= ?',
            after,
            until,
          )
          .map(({ slot, until: at }) => [slot, at]),
      ),
    removeTitles: async (titleIds) =>
      store.transaction(() => {
        for (const key of titleIds.map(titleKey)) {
          for (const table of OF_TITLES) store.run(`DELETE FROM ${table} WHERE title_id = ?`, key);
          store.run('DELETE FROM title WHERE id = ?', key);
        }
      }),
  } satisfies Partial<SeriesStore>;
}
