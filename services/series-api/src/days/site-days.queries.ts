import type { EpochSeconds } from '@lobbystats/contracts';
import type { SqliteStore } from '@lobbystats/service-kit/sqlite';
import { fieldsOf, IN_PERIOD, periodValues, rowsIn, type Row } from '../database/influxql.ts';
import { lineOf, timeOf } from '../database/lines.ts';
import type { InfluxSeries } from '../database/open.influx.ts';
import type { Period } from '../series/periods.ts';

export type SiteDayQueries = ReturnType<typeof siteDaysInSqlite>;

export interface SiteDay {
  day: EpochSeconds;
  onlineSum: number;
  samples: number;
  peakOnline: number;
  peakOnlineAt: EpochSeconds;
  /** Sum over the slots with a count of lobbies. */
  lobbySum: number;
  lobbySamples: number;
  peakLobbies: number | null;
  peakLobbiesAt: EpochSeconds | null;
  /** Begun on that day. */
  matches: number;
  newestSlot: EpochSeconds;
}

export interface RegisteredCount {
  day: EpochSeconds;
  registered: number;
  seenAt: EpochSeconds;
}

export const SITE_DAY_COLUMNS = `day, online_sum AS onlineSum, samples, peak_online AS peakOnline,
  peak_online_at AS peakOnlineAt, lobby_sum AS lobbySum, lobby_samples AS lobbySamples, peak_lobbies AS peakLobbies,
  peak_lobbies_at AS peakLobbiesAt, matches, newest_slot AS newestSlot`;

export function siteDaysInSqlite(store: SqliteStore) {
  return {
    /** Never purged. */
    siteDays: async ({ after, until }: Period) =>
      store.all<SiteDay>(
        `SELECT ${SITE_DAY_COLUMNS} FROM site_rollup WHERE day > ? AND day <= ? ORDER BY day`,
        after,
        until,
      ),
    putSiteDays: async (days: readonly SiteDay[]) =>
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
    registered: async ({ after, until }: Period) =>
      store.all<RegisteredCount>(
        `SELECT day, registered, seen_at AS seenAt FROM site_daily WHERE day > ? AND day <= ? ORDER BY day`,
        after,
        until,
      ),
    /** The later reading of a day wins; on a tie the greater count. */
    putRegistered: async (counts: readonly RegisteredCount[]) =>
      store.transaction(() => {
        for (const count of counts) putRegisteredDay(store, count);
      }),
  };
}

export function putRegisteredDay(store: SqliteStore, { day, registered, seenAt }: RegisteredCount): void {
  store.run(
    `INSERT INTO site_daily (day, registered, seen_at) VALUES (?, ?, ?)
      ON CONFLICT DO UPDATE SET registered = excluded.registered, seen_at = excluded.seen_at
      WHERE (excluded.seen_at, excluded.registered) > (seen_at, registered)`,
    day,
    registered,
    seenAt,
  );
}

const SITE_DAY_FIELDS = [
  'onlineSum',
  'samples',
  'peakOnline',
  'peakOnlineAt',
  'lobbySum',
  'lobbySamples',
  'peakLobbies',
  'peakLobbiesAt',
  'matches',
  'newestSlot',
] as const;

export function siteDaysInInflux({ influx, horizon, withMutex }: InfluxSeries) {
  const registered = async (period: Period): Promise<RegisteredCount[]> => {
    const statement = `SELECT registered, seenAt FROM site_daily WHERE ${IN_PERIOD}`;
    const found = await influx.query('daily', statement, periodValues(period, horizon.dailies()));
    return rowsIn(found).map(([day, count, seenAt]) => ({
      day: Number(day),
      registered: Number(count),
      seenAt: Number(seenAt),
    }));
  };
  return {
    siteDays: async (period) => {
      const statement = `SELECT ${SITE_DAY_FIELDS.join(', ')} FROM site_rollup WHERE ${IN_PERIOD}`;
      return rowsIn(await influx.query('daily', statement, periodValues(period, -1))).map(siteDay);
    },
    putSiteDays: (days) => influx.write('daily', days.map(siteDayLine)),
    registered,
    putRegistered: (counts) =>
      withMutex(async () => {
        if (counts.length === 0) return;
        const days = counts.map(({ day }) => day);
        const stored = await registered({ after: Math.min(...days) - 1, until: Math.max(...days) });
        const best = new Map(stored.map((count) => [count.day, count]));
        const changed = new Set<number>();
        for (const count of counts) {
          const other = best.get(count.day);
          // Equal values are written too: readable data may not be durable.
          if (other !== undefined && isNewer(other, count)) continue;
          best.set(count.day, count);
          changed.add(count.day);
        }
        await influx.write('daily', [...best.values()].filter(({ day }) => changed.has(day)).map(registeredLine));
      }),
  } satisfies SiteDayQueries;
}

function siteDay([day, ...counts]: Row): SiteDay {
  return { day: Number(day), ...fieldsOf(SITE_DAY_FIELDS, counts) } as SiteDay;
}

function isNewer(a: RegisteredCount, b: RegisteredCount): boolean {
  return a.seenAt > b.seenAt || (a.seenAt === b.seenAt && a.registered > b.registered);
}

export function siteDayLine({ day, ...statistics }: SiteDay): string {
  return lineOf({ measurement: 'site_rollup', time: timeOf(day) }, statistics);
}

export function registeredLine({ day, registered, seenAt }: RegisteredCount): string {
  return lineOf({ measurement: 'site_daily', time: timeOf(day) }, { registered, seenAt });
}
