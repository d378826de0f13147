import { DAY_SECONDS, SLOT_SECONDS, type EpochSeconds } from '@lobbystats/contracts';
import type { SqliteStore } from '@lobbystats/service-kit/sqlite';
import { IN_PERIOD, periodValues, rowsIn } from '../database/influxql.ts';
import { lineOf, timeOf } from '../database/lines.ts';
import type { InfluxSeries } from '../database/open.influx.ts';
import { removeRecordsIn } from '../days/title-records.queries.ts';
import type { Period, SlotRange } from '../series/periods.ts';

export type RemovalQueries = ReturnType<typeof removalsInSqlite>;

interface Expiry {
  snapshots: EpochSeconds;
  dailies: EpochSeconds;
}

const MARK = `INSERT INTO withdrawn_slot (slot, until) VALUES (?, ?)
  ON CONFLICT DO UPDATE SET until = max(until, excluded.until)`;
/** The keys of some tables begin with the title: SQLite uses them only if titles are named. */
const OF_TITLES = 'title_id IN (SELECT id FROM title)';
const HOSTS_PER_PURGE = 2000;

export function removalsInSqlite(store: SqliteStore) {
  return {
    /**
     * Removes slots, and what can only be derived again without them: these days, the readings of registered users in
     * the slots, and records that were set in them. Runs are changed by `commit`.
     */
    removeSlots: async ({ from, to }: SlotRange, days: readonly EpochSeconds[]) =>
      store.transaction(() => {
        for (const table of ['match_snapshot', 'site_snapshot']) {
          store.run(`DELETE FROM ${table} WHERE slot BETWEEN ? AND ?`, from, to);
        }
        store.run(`DELETE FROM title_snapshot WHERE ${OF_TITLES} AND slot BETWEEN ? AND ?`, from, to);
        for (const day of days) {
          store.run('DELETE FROM site_rollup WHERE day = ?', day);
          store.run(`DELETE FROM title_daily WHERE ${OF_TITLES} AND day = ?`, day);
        }
        store.run('DELETE FROM site_daily WHERE seen_at BETWEEN ? AND ?', from, to);
        store.run('DELETE FROM title_record WHERE at BETWEEN ? AND ?', from, to);
      }),
    /** Marks slots as withdrawn until an instant, as long as snapshots are kept. The later instant wins. */
    markWithdrawn: async ({ from, to }: SlotRange, at: EpochSeconds) =>
      store.transaction(() => {
        for (let slot = from; slot <= to; slot += SLOT_SECONDS) store.run(MARK, slot, at);
      }),
    /** Each withdrawn slot of a period has the instant until which it is withdrawn. */
    withdrawnSlots: async ({ after, until }: Period): Promise<ReadonlyMap<EpochSeconds, EpochSeconds>> =>
      new Map(
        store
          .all<{ slot: EpochSeconds; until: EpochSeconds }>(
            'SELECT slot, until FROM withdrawn_slot WHERE slot > ? AND slot <= ?',
            after,
            until,
          )
          .map(({ slot, until: at }) => [slot, at]),
      ),
    /** Removes the oldest expired slots, at most `slots`. Returns whether more is left. */
    purge: async ({ snapshots, dailies }: Expiry, slots: number) =>
      store.transaction(() => {
        store.run('DELETE FROM site_daily WHERE day <= ?', dailies);
        store.run(`DELETE FROM title_daily WHERE ${OF_TITLES} AND day <= ?`, dailies);
        const oldest = oldestSlots(store, snapshots, slots);
        const last = oldest.at(-1);
        if (last !== undefined) purgeUntil(store, last);
        const more = oldest.length === slots;
        return more || purgeHosts(store, snapshots) === HOSTS_PER_PURGE;
      }),
  };
}

function oldestSlots(store: SqliteStore, until: EpochSeconds, limit: number): EpochSeconds[] {
  return store
    .all<{ slot: number }>('SELECT slot FROM site_snapshot WHERE slot <= ? ORDER BY slot LIMIT ?', until, limit)
    .map(({ slot }) => slot);
}

function purgeUntil(store: SqliteStore, slot: EpochSeconds): void {
  store.run('DELETE FROM match_snapshot WHERE slot <= ?', slot);
  store.run('DELETE FROM match_run WHERE ended_at <= ?', slot);
  store.run(`DELETE FROM title_snapshot WHERE ${OF_TITLES} AND slot <= ?`, slot);
  store.run('DELETE FROM site_snapshot WHERE slot <= ?', slot);
  store.run('DELETE FROM withdrawn_slot WHERE slot <= ?', slot);
}

/** A host without matches is not referenced. */
function purgeHosts(store: SqliteStore, until: EpochSeconds): number {
  return store.run(
    'DELETE FROM host WHERE id IN (SELECT id FROM host WHERE seen_at <= ? LIMIT ?)',
    until,
    HOSTS_PER_PURGE,
  );
}

export function removalsInInflux(series: InfluxSeries) {
  const { influx, horizon } = series;
  const removePoints = (bucket: 'snapshots' | 'daily', measurement: string, from: EpochSeconds, end: EpochSeconds) =>
    influx.remove(bucket, {
      start: new Date(from * 1000).toISOString(),
      stop: new Date(end * 1000 - 1).toISOString(),
      predicate: `_measurement="${measurement}"`,
    });
  return {
    removeSlots: async ({ from, to }, days) => {
      // Points of hosts lie within their slots.
      for (const measurement of ['match', 'title', 'site']) {
        await removePoints('snapshots', measurement, from, to + SLOT_SECONDS);
      }
      for (const day of days) {
        for (const measurement of ['site_rollup', 'title_daily']) {
          await removePoints('daily', measurement, day, day + DAY_SECONDS);
        }
      }
      const readings = await influx.query(
        'daily',
        'SELECT seenAt FROM site_daily WHERE seenAt >= $from AND seenAt <= $to',
        { from, to },
      );
      for (const [day] of rowsIn(readings)) {
        await removePoints('daily', 'site_daily', Number(day), Number(day) + DAY_SECONDS);
      }
      await removeRecordsIn(series, { from, to });
    },
    markWithdrawn: async ({ from, to }, at) => {
      const lines = [];
      for (let slot = from; slot <= to; slot += SLOT_SECONDS) lines.push(withdrawnLine(slot, at));
      await influx.write('snapshots', lines);
    },
    withdrawnSlots: async (period) => {
      const found = await influx.query(
        'snapshots',
        `SELECT until FROM withdrawn_slot WHERE ${IN_PERIOD}`,
        periodValues(period, horizon.snapshots()),
      );
      return new Map(rowsIn(found).map(([slot, until]) => [Number(slot), Number(until)]));
    },
    purge: async ({ snapshots, dailies }, slots) => {
      horizon.advance({ dailies });
      const found = await influx.query(
        'snapshots',
        `SELECT online FROM site WHERE ${IN_PERIOD} ORDER BY time LIMIT ${Math.trunc(slots)}`,
        periodValues({ after: 0, until: snapshots }, horizon.snapshots()),
      );
      const oldest = rowsIn(found);
      horizon.advance({ snapshots: Number(oldest.at(-1)?.[0] ?? 0) });
      return oldest.length === slots;
    },
  } satisfies RemovalQueries;
}

export function withdrawnLine(slot: EpochSeconds, until: EpochSeconds): string {
  return lineOf({ measurement: 'withdrawn_slot', time: timeOf(slot) }, { until });
}
