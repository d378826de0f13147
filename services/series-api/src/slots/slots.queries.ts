import { compareCodePoints, type EpochSeconds, type TitleCounts } from '@lobbystats/contracts';
import type { SqliteStore } from '@lobbystats/service-kit/sqlite';
import { fieldsOf, IN_PERIOD, periodValues, rowsIn, type Row } from '../database/influxql.ts';
import type { InfluxSeries } from '../database/open.influx.ts';
import { isNullable, TITLE_SELECTION, titleFields } from '../database/schema.ts';
import type { Period } from '../series/periods.ts';
import type { SeriesPoint } from '../series/points.ts';
import { ofTitle, ofTitleKey, titleKey, titleValues } from '../titles/titles.queries.ts';
import type { SiteSnapshot, TitleSnapshot } from './snapshots.ts';

/** A slot is stored once its site snapshot is. A miss is null or empty. */
export type SlotQueries = ReturnType<typeof slotsInSqlite>;

const SITE_ONLINE = 'SELECT slot, online FROM site_snapshot WHERE slot > ? AND slot <= ? ORDER BY slot';
const SITE_LOBBIES =
  'SELECT slot, lobbies FROM site_snapshot WHERE slot > ? AND slot <= ? AND lobbies IS NOT NULL ORDER BY slot';
const TITLE_ONLINE =
  'SELECT slot, online FROM title_snapshot WHERE title_id = ? AND slot > ? AND slot <= ? ORDER BY slot';

export function slotsInSqlite(store: SqliteStore) {
  // Arrays, since the points are pairs, and a third faster than objects.
  for (const sql of [SITE_ONLINE, SITE_LOBBIES, TITLE_ONLINE]) store.prepare(sql).setReturnArrays(true);
  const slotOf = (sql: string, instant: EpochSeconds) => store.get<{ slot: number | null }>(sql, instant)?.slot ?? null;

  return {
    siteSnapshots: async ({ after, until }: Period) =>
      store.all<SiteSnapshot>(
        `SELECT slot, online, registered, lobbies, missing FROM site_snapshot
          WHERE slot > ? AND slot <= ? ORDER BY slot`,
        after,
        until,
      ),
    slotBefore: async (instant: EpochSeconds) =>
      slotOf('SELECT max(slot) AS slot FROM site_snapshot WHERE slot < ?', instant),
    slotAfter: async (instant: EpochSeconds) =>
      slotOf('SELECT min(slot) AS slot FROM site_snapshot WHERE slot > ?', instant),
    siteOnline: async ({ after, until }: Period) => store.all<SeriesPoint>(SITE_ONLINE, after, until),
    /** Ascending; slots without a count are absent. */
    siteLobbies: async ({ after, until }: Period) => store.all<SeriesPoint>(SITE_LOBBIES, after, until),
    titleOnline: async (titleId: string, { after, until }: Period) =>
      store.all<SeriesPoint>(TITLE_ONLINE, titleKey(titleId), after, until),
    /** Titles of a slot: all, or one. */
    titlesIn: async (slot: EpochSeconds, titleId?: string) =>
      // The rows are complete: to copy them takes as long as to read them.
      store.all<TitleSnapshot>(
        `SELECT printf('%08x', title.id) AS titleId, ${TITLE_SELECTION}
          FROM title CROSS JOIN title_snapshot ON title_id = title.id AND slot = ? ${ofTitleKey(titleId)}
          ORDER BY title.id`,
        slot,
        ...titleValues(titleId),
      ),
  };
}

export function slotsInInflux({ influx, horizon }: InfluxSeries) {
  const rows = async (statement: string, period: Period, titleId = '') => {
    const values = { ...periodValues(period, horizon.snapshots()), titleId };
    return rowsIn(await influx.query('snapshots', statement, values));
  };
  /** Rows of one field are pairs of time and count. */
  const points = async (...query: Parameters<typeof rows>) => (await rows(...query)) as SeriesPoint[];
  const instantOf = async (statement: string, period: Period) => (await points(statement, period))[0]?.[0] ?? null;

  return {
    siteSnapshots: async (period) =>
      (await rows(`SELECT ${SITE_FIELDS.join(', ')} FROM site WHERE ${IN_PERIOD}`, period)).map(siteSnapshot),
    slotBefore: (instant) =>
      instantOf(`SELECT last(online) FROM site WHERE ${IN_PERIOD}`, { after: 0, until: instant - 1 }),
    slotAfter: (instant) =>
      instantOf(`SELECT first(online) FROM site WHERE ${IN_PERIOD}`, { after: instant, until: Infinity }),
    siteOnline: (period) => points(`SELECT online FROM site WHERE ${IN_PERIOD}`, period),
    siteLobbies: (period) => points(`SELECT lobbies FROM site WHERE ${IN_PERIOD}`, period),
    titleOnline: (titleId, period) =>
      points(`SELECT online FROM title WHERE titleId = $titleId AND ${IN_PERIOD}`, period, titleId),
    titlesIn: async (slot, titleId) => {
      const statement = `SELECT titleId::tag, ${titleFields.join(', ')} FROM title WHERE ${IN_PERIOD}${ofTitle(titleId)}`;
      const found = await rows(statement, { after: slot - 1, until: slot }, titleId);
      return found.map(titleSnapshot).sort((a, b) => compareCodePoints(a.titleId, b.titleId));
    },
  } satisfies SlotQueries;
}

const SITE_FIELDS = ['online', 'registered', 'lobbies', 'missing'] as const;

/** @param row time and {@link SITE_FIELDS} */
function siteSnapshot([slot, ...counts]: Row): SiteSnapshot {
  return { slot: Number(slot), ...fieldsOf(SITE_FIELDS, counts) } as SiteSnapshot;
}

/** @param row time, `titleId::tag` and {@link titleFields} */
function titleSnapshot([, titleId, ...counts]: Row): TitleSnapshot {
  const fields = fieldsOf(titleFields, counts);
  // A point from before a count was observed has none.
  const known = titleFields.map((name) => [name, fields[name] ?? (isNullable(name) ? null : 0)]);
  return { titleId: String(titleId), ...(Object.fromEntries(known) as TitleCounts) };
}
