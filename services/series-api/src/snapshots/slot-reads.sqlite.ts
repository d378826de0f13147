import type { EpochSeconds } from '@lobbystats/contracts';
import type { SqliteStore } from '@lobbystats/service-kit/sqlite';
import type { Period } from './periods.ts';
import type { SeriesPoint, SeriesStore, TitleLobbies, TitlePeak } from '../database/series-store.ts';
import type { SiteSnapshot, TitleSnapshot } from './snapshots.ts';
import { TITLE_SELECTION } from './title-counts.ts';
import { ofTitle, titleIdOf, titleKey, titleValues } from '../titles/titles.sqlite.ts';

const SITE_ONLINE = 'SELECT slot, online FROM site_snapshot WHERE slot > ? AND slot <= ? ORDER BY slot';
const SITE_LOBBIES =
  'SELECT slot, lobbies FROM site_snapshot WHERE slot > ? AND slot <= ? AND lobbies IS NOT NULL ORDER BY slot';
const TITLE_ONLINE =
  'SELECT slot, online FROM title_snapshot WHERE title_id = ? AND slot > ? AND slot <= ? ORDER BY slot';

const TITLE_PEAKS = `
  SELECT title.id, max(online) AS peak, sum(online) AS total, count(*) AS samples
    FROM title CROSS JOIN title_snapshot ON title_id = title.id AND slot > ? AND slot <= ?
    GROUP BY title.id ORDER BY title.id`;
const TITLE_DAY_PEAKS = `
  SELECT title.id, max(peak_online) AS peak, sum(online_sum) AS total, sum(samples) AS samples
    FROM title CROSS JOIN title_daily ON title_id = title.id AND day > ? AND day <= ?
    GROUP BY title.id ORDER BY title.id`;

export function slotReads(store: SqliteStore) {
  // Arrays, as the port wants pairs, and a third faster than objects.
  for (const sql of [SITE_ONLINE, SITE_LOBBIES, TITLE_ONLINE]) store.prepare(sql).setReturnArrays(true);

  return {
    siteSnapshots: async ({ after, until }) =>
      store.all<SiteSnapshot>(
        `SELECT slot, online, registered, lobbies, missing FROM site_snapshot
          WHERE slot > ? AND slot <= ? ORDER BY slot`,
        after,
        until,
      ),
    slotBefore: async (instant) => slotOf(store, 'SELECT max(slot) AS slot FROM site_snapshot WHERE slot < ?', instant),
    slotAfter: async (instant) => slotOf(store, 'SELECT min(slot) AS slot FROM site_snapshot WHERE slot > ?', instant),
    siteOnline: async ({ after, until }) => store.all<SeriesPoint>(SITE_ONLINE, after, until),
    siteLobbies: async ({ after, until }) => store.all<SeriesPoint>(SITE_LOBBIES, after, until),
    titleOnline: async (titleId, { after, until }) =>
      store.all<SeriesPoint>(TITLE_ONLINE, titleKey(titleId), after, until),
    titlePeaks: async (period) => titlePeaks(store, TITLE_PEAKS, period),
    titleDayPeaks: async (period) => titlePeaks(store, TITLE_DAY_PEAKS, period),
    titlesIn: async (slot, titleId) =>
      // The rows are complete: to copy them takes as long as to read them.
      store.all<TitleSnapshot>(
        `SELECT printf('%08x', title.id) AS titleId, ${TITLE_SELECTION}
          FROM title CROSS JOIN title_snapshot ON title_id = title.id AND slot = ? ${ofTitle(titleId)}
          ORDER BY title.id`,
        slot,
        ...titleValues(titleId),
      ),
    lobbiesIn: async (slot, titleId) =>
      lobbiesByTitle(
        store.all<HostRow>(
          `SELECT title_id AS id, host.name AS host
            FROM match_snapshot JOIN host ON host.id = host_id WHERE slot = ? ${ofTitle(titleId)}`,
          slot,
          ...titleValues(titleId),
        ),
      ),
    newestLobbies: async (titleIds, { after, until }) =>
      lobbiesByTitle(
        store.all<HostRow>(
          `SELECT had.id, host.name AS host
            FROM (SELECT value AS id, (SELECT max(slot) FROM title_snapshot
                WHERE title_id = value AND slot > ? AND slot <= ? AND lobbies IS NOT NULL) AS slot FROM json_each(?)) AS had
            LEFT JOIN match_snapshot AS open ON open.slot = had.slot AND open.title_id = had.id
            LEFT JOIN host ON host.id = open.host_id
            WHERE had.slot IS NOT NULL`,
          after,
          until,
          JSON.stringify(titleIds.map(titleKey)),
        ),
      ),
  } satisfies Partial<SeriesStore>;
}

interface HostRow {
  id: number;
  /** Null: the title has no open match. */
  host: string | null;
}

function lobbiesByTitle(rows: readonly HostRow[]): TitleLobbies[] {
  return [...Map.groupBy(rows, ({ id }) => id)].map(([id, open]) => ({
    titleId: titleIdOf(id),
    hosts: open.flatMap(({ host }) => host ?? []),
  }));
}

function titlePeaks(store: SqliteStore, sql: string, { after, until }: Period): TitlePeak[] {
  return store
    .all<Omit<TitlePeak, 'titleId'> & { id: number }>(sql, after, until)
    .map(({ id, peak, total, samples }) => ({ titleId: titleIdOf(id), peak, total, samples }));
}

function slotOf(store: SqliteStore, sql: string, instant: EpochSeconds): EpochSeconds | null {
  return store.get<{ slot: number | null }>(sql, instant)?.slot ?? null;
}
