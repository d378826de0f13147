import { SLOT_SECONDS, slotOf, type EpochSeconds } from '@lobbystats/contracts';
import type { SqliteStore } from '@lobbystats/service-kit/sqlite';
import { byTitle, instantValue, IN_PERIOD, periodValues, type Series } from '../database/influxql.ts';
import type { InfluxSeries } from '../database/open.influx.ts';
import type { Period } from '../series/periods.ts';
import { ofTitle, ofTitleKey, titleIdOf, titleKey, titleValues } from '../titles/titles.queries.ts';

export type LobbyQueries = ReturnType<typeof lobbiesInSqlite>;

export interface TitleLobbies {
  titleId: string;
  hosts: string[];
}

interface HostRow {
  id: number;
  /** Null: the title has no open match. */
  host: string | null;
}

export function lobbiesInSqlite(store: SqliteStore) {
  return {
    /** Only titles with open lobbies: all, or one. */
    lobbiesIn: async (slot: EpochSeconds, titleId?: string) =>
      lobbiesByTitle(
        store.all<HostRow>(
          `SELECT title_id AS id, host.name AS host
            FROM match_snapshot JOIN host ON host.id = host_id WHERE slot = ? ${ofTitleKey(titleId)}`,
          slot,
          ...titleValues(titleId),
        ),
      ),
    /** In the newest slot of the period with a page of the title; titles without one are absent. */
    newestLobbies: async (titleIds: readonly string[], { after, until }: Period) =>
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
  };
}

function lobbiesByTitle(rows: readonly HostRow[]): TitleLobbies[] {
  return [...Map.groupBy(rows, ({ id }) => id)].map(([id, open]) => ({
    titleId: titleIdOf(id),
    hosts: open.flatMap(({ host }) => host ?? []),
  }));
}

/** The points of a slot's matches are within the slot. */
const OPEN_MATCHES = 'SELECT titleId::tag, host FROM match WHERE time > $after AND time < $end';

export function lobbiesInInflux({ influx, horizon }: InfluxSeries) {
  const openMatchValues = (period: Period) => ({
    ...periodValues(period, horizon.snapshots()),
    end: instantValue(slotOf(period.until) + SLOT_SECONDS),
  });
  return {
    lobbiesIn: async (slot, titleId) => {
      const [matches] = await influx.query('snapshots', `${OPEN_MATCHES}${ofTitle(titleId)}`, {
        ...openMatchValues({ after: slot - 1, until: slot }),
        titleId: titleId ?? '',
      });
      return hostsByTitle(matches, () => slot);
    },
    newestLobbies: async (titleIds, period) => {
      if (titleIds.length === 0) return [];
      // Title IDs consist of hexadecimal digits.
      const some = `titleId =~ /^(${titleIds.join('|')})$/`;
      const newest = `SELECT last(lobbies) FROM title WHERE ${some} AND ${IN_PERIOD} GROUP BY titleId`;
      const [titles, matches] = await influx.query(
        'snapshots',
        `${newest}; ${OPEN_MATCHES} AND ${some}`,
        openMatchValues(period),
      );
      const slots = new Map(byTitle(titles).map(([titleId, [slot]]) => [titleId, Number(slot)]));
      const open = new Map(hostsByTitle(matches, (id) => slots.get(id)).map(({ titleId, hosts }) => [titleId, hosts]));
      return [...slots.keys()].map((titleId) => ({ titleId, hosts: open.get(titleId) ?? [] }));
    },
  } satisfies LobbyQueries;
}

/** Hosts of each title in the slot that `slotOfTitle` returns. */
function hostsByTitle(
  matches: readonly Series[] = [],
  slotOfTitle: (titleId: string) => EpochSeconds | undefined,
): TitleLobbies[] {
  const rows = matches
    .flatMap(({ values }) => values)
    .filter(([time, titleId]) => slotOf(Number(time)) === slotOfTitle(String(titleId)));
  return [...Map.groupBy(rows, ([, titleId]) => String(titleId))].map(([titleId, open]) => ({
    titleId,
    hosts: open.map(([, , host]) => String(host)),
  }));
}
