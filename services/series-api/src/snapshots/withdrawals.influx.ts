import { DAY_SECONDS, SLOT_SECONDS, type EpochSeconds } from '@lobbystats/contracts';
import type { SeriesStore } from '../database/series-store.ts';
import { IN_PERIOD, periodValues } from '../database/query-response.influx.ts';
import type { StoreParts } from '../database/store-parts.influx.ts';
import { raiseTitleRecords, raiseToOlderDays, removeRecordsIn } from '../days/title-records.influx.ts';
import { titleGroups } from '../days/rollups.influx.ts';
import { lineOf, timeOf } from './points.influx.ts';

export function withdrawals(parts: StoreParts) {
  const { influx, horizon } = parts;
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
      const [readings] = await influx.query(
        'daily',
        'SELECT seenAt FROM site_daily WHERE seenAt >= $from AND seenAt <= $to',
        { from, to },
      );
      for (const [day] of readings?.[0]?.values ?? []) {
        await removePoints('daily', 'site_daily', Number(day), Number(day) + DAY_SECONDS);
      }
      await removeRecordsIn(parts, { from, to });
    },
    raiseRecords: async (days) => {
      const groups = await titleGroups(influx);
      for (const day of days) await raiseTitleRecords(parts, day, groups);
      await raiseToOlderDays(parts, days[0] ?? 0);
    },
    markWithdrawn: async ({ from, to }, at) => {
      const lines = [];
      for (let slot = from; slot <= to; slot += SLOT_SECONDS) {
        lines.push(withdrawnLine(slot, at));
      }
      await influx.write('snapshots', lines);
    },
    withdrawnSlots: async (period) => {
      const [found] = await influx.query(
        'snapshots',
        `SELECT until FROM withdrawn_slot WHERE ${IN_PERIOD}`,
        periodValues(period, horizon.snapshots()),
      );
      return new Map((found?.[0]?.values ?? []).map(([slot, until]) => [Number(slot), Number(until)]));
    },
  } satisfies Partial<SeriesStore>;
}

export function withdrawnLine(slot: EpochSeconds, until: EpochSeconds): string {
  return lineOf('withdrawn_slot', { time: timeOf(slot) }, { until });
}
