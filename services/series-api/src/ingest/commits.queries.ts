import { setImmediate } from 'node:timers/promises';
import { nameKey } from '@lobbystats/contracts';
import type { SqliteStore } from '@lobbystats/service-kit/sqlite';
import { lineOf, timeOf, timeOfHost } from '../database/lines.ts';
import type { InfluxSeries } from '../database/open.influx.ts';
import { titleColumns, titleFields } from '../database/schema.ts';
import { putRegisteredDay, siteDaysInInflux, type RegisteredCount } from '../days/site-days.queries.ts';
import type { RunChanges } from '../matches/match-runs.ts';
import { removalLines, runLines } from '../matches/runs.queries.ts';
import { dayOf } from '../series/periods.ts';
import type { MatchSnapshot, SiteSnapshot, SlotSnapshot, TitleSnapshot } from '../slots/snapshots.ts';
import { titleKey, titleNameLine } from '../titles/titles.queries.ts';

/** Writes are idempotent. */
export type CommitQueries = ReturnType<typeof commitsInSqlite>;

/** New slots and changed runs. */
export interface SlotBatch {
  slots: readonly SlotSnapshot[];
  runs: RunChanges;
}

const OF_TITLES = ['title_snapshot', 'match_snapshot', 'match_run', 'title_daily', 'title_record'];

export function commitsInSqlite(store: SqliteStore) {
  return {
    /**
     * Stores new slots: removes runs in `remove`, puts those in `put`, makes titles known, and counts registered users.
     */
    commit: async (batch: SlotBatch) => {
      store.transaction(() => {
        const hosts = putHosts(store, batch);
        putTitles(store, batch.slots);
        putMatches(store, batch.slots, hosts);
        changeRuns(store, batch.runs, hosts);
        putSites(store, batch.slots);
      });
      // Requests run between commits.
      await setImmediate();
    },
    /** Rewrites slots that were only read back, since a database may return data that it failed to persist. */
    confirm: async (_sites: readonly SiteSnapshot[]) => {
      // SQLite returns committed data alone.
    },
    /** Removes all that is stored of titles; sums over all titles stay. */
    removeTitles: async (titleIds: readonly string[]) =>
      store.transaction(() => {
        for (const key of titleIds.map(titleKey)) {
          for (const table of OF_TITLES) store.run(`DELETE FROM ${table} WHERE title_id = ?`, key);
          store.run('DELETE FROM title WHERE id = ?', key);
        }
      }),
  };
}

type HostIds = ReadonlyMap<string, number>;

/** Upserts hosts with their last sighting. */
function putHosts(store: SqliteStore, { slots, runs }: SlotBatch): HostIds {
  const seenAt = new Map<string, number>();
  const see = (host: string, at: number): void => {
    if (at > (seenAt.get(host) ?? -Infinity)) seenAt.set(host, at);
  };
  for (const { matches } of slots) for (const { host, slot } of matches) see(host, slot);
  for (const run of runs.put) see(run.host, run.endedAt);

  const put = store.prepare(
    `INSERT INTO host (name, seen_at, player_key) VALUES (?, ?, ?)
      ON CONFLICT DO UPDATE SET seen_at = max(seen_at, excluded.seen_at) RETURNING id`,
  );
  const ids = new Map<string, number>();
  for (const [host, at] of seenAt) ids.set(host, Number(put.get(host, at, nameKey(host))?.['id']));
  return ids;
}

function putTitles(store: SqliteStore, slots: readonly SlotSnapshot[]): void {
  const rows = new Map<string, [slot: number, snapshot: TitleSnapshot][]>();
  for (const { site, titles } of slots) {
    for (const title of titles) {
      const own = rows.get(title.titleId);
      if (own === undefined) rows.set(title.titleId, [[site.slot, title]]);
      else own.push([site.slot, title]);
    }
  }
  const putTitle = store.prepare('INSERT OR IGNORE INTO title (id) VALUES (?)');
  const putSnapshot = store.prepare(
    `INSERT OR IGNORE INTO title_snapshot (title_id, slot, ${titleColumns.join(', ')})
      VALUES (?, ?, ${titleColumns.map(() => '?').join(', ')})`,
  );
  for (const [titleId, snapshots] of rows) {
    const key = titleKey(titleId);
    putTitle.run(key);
    for (const [slot, snapshot] of snapshots) {
      putSnapshot.run(key, slot, ...titleFields.map((name) => snapshot[name]));
    }
  }
}

function putMatches(store: SqliteStore, slots: readonly SlotSnapshot[], hosts: HostIds): void {
  const put = store.prepare(
    `INSERT OR IGNORE INTO match_snapshot (slot, title_id, host_id, players, max_players) VALUES (?, ?, ?, ?, ?)`,
  );
  for (const { matches } of slots) {
    for (const { slot, titleId, host, players, maxPlayers } of matches) {
      put.run(slot, titleKey(titleId), hosts.get(host) ?? null, players, maxPlayers);
    }
  }
}

function changeRuns(store: SqliteStore, { remove, put }: RunChanges, hosts: HostIds): void {
  const removal = store.prepare(
    `DELETE FROM match_run
      WHERE title_id = ? AND ended_at = ? AND host_id = (SELECT id FROM host WHERE name = ?)`,
  );
  for (const { titleId, endedAt, host } of remove) removal.run(titleKey(titleId), endedAt, host);

  const putting = store.prepare(
    `INSERT OR REPLACE INTO match_run (title_id, ended_at, host_id, started_at, players, max_players, peak_players)
      VALUES (?, ?, ?, ?, ?, ?, ?)`,
  );
  for (const { titleId, endedAt, host, startedAt, players, maxPlayers, peakPlayers } of put) {
    putting.run(titleKey(titleId), endedAt, hosts.get(host) ?? null, startedAt, players, maxPlayers, peakPlayers);
  }
}

function putSites(store: SqliteStore, slots: readonly SlotSnapshot[]): void {
  const put = store.prepare(
    'INSERT OR IGNORE INTO site_snapshot (slot, online, registered, lobbies, missing) VALUES (?, ?, ?, ?, ?)',
  );
  for (const { site } of slots) {
    const { slot, online, registered, lobbies, missing } = site;
    if (registered !== null) putRegisteredDay(store, { day: dayOf(slot), registered, seenAt: slot });
    put.run(slot, online, registered, lobbies, missing);
  }
}

/**
 * Writes the site's points last, as the commit mark: after a crash, redelivery repeats the rest. New runs are written
 * before old ones are removed. InfluxDB may show points it could not persist, so a commit rewrites the runs of failed
 * ones.
 */
export function commitsInInflux(series: InfluxSeries) {
  const { influx } = series;
  const { putRegistered } = siteDaysInInflux(series);
  const known = new Set<string>();
  /** Runs of failed commits, by point key. */
  const unconfirmedRuns = new Map<string, string>();

  const makeKnown = async (slots: readonly SlotSnapshot[]): Promise<void> => {
    const fresh = new Set<string>();
    for (const { titles } of slots) for (const { titleId } of titles) if (!known.has(titleId)) fresh.add(titleId);
    await influx.write(
      'daily',
      [...fresh].map((titleId) => titleNameLine(titleId, { known: true })),
    );
    for (const titleId of fresh) known.add(titleId);
  };

  return {
    commit: async ({ slots, runs }) => {
      const retainedPoints = withoutExpired(series, slots, runs);
      await influx.write('snapshots', [...unconfirmedRuns.values()]);
      for (const line of [...retainedPoints.runs, ...retainedPoints.removals])
        unconfirmedRuns.set(pointKeyOf(line), line);
      await waitForAll([
        influx.write('snapshots', [...retainedPoints.lines, ...retainedPoints.runs]),
        makeKnown(slots),
        putRegistered(registeredIn(slots)),
      ]);
      await influx.write('snapshots', retainedPoints.removals);
      await influx.write('snapshots', retainedPoints.sites);
      unconfirmedRuns.clear();
    },
    confirm: async (sites) => {
      const retained = series.horizon.retained();
      const retainedSites = sites.filter(({ slot }) => slot > retained);
      await influx.write('snapshots', retainedSites.map(siteLine));
    },
    removeTitles: async (titleIds) => {
      for (const titleId of titleIds) {
        for (const bucket of ['snapshots', 'daily'] as const) {
          await influx.remove(bucket, { predicate: `titleId="${titleId}"` });
        }
        known.delete(titleId);
      }
    },
  } satisfies CommitQueries;
}

/** Waits for all writes, since a remaining one could overwrite those of the next commit. */
async function waitForAll(writes: readonly Promise<void>[]): Promise<void> {
  for (const outcome of await Promise.allSettled(writes)) if (outcome.status === 'rejected') throw outcome.reason;
}

/** Lines with the same measurement, tags and time replace each other. */
function pointKeyOf(line: string): string {
  return line.slice(0, line.indexOf(' ')) + line.slice(line.lastIndexOf(' '));
}

/** Expired points are counted and dropped. */
function withoutExpired({ horizon, onExpired }: InfluxSeries, slots: readonly SlotSnapshot[], runs: RunChanges) {
  const retained = horizon.retained();
  const lines: string[] = [];
  const running: string[] = [];
  const sites: string[] = [];
  let expired = 0;
  for (const { site, titles, matches } of slots) {
    if (site.slot <= retained) expired += 1 + titles.length + matches.length;
    else {
      const time = timeOf(site.slot);
      for (const title of titles) lines.push(titleLine(title, time));
      for (const match of matches) lines.push(matchLine(match));
      sites.push(siteLine(site));
    }
  }
  for (const run of runs.put) {
    if (run.startedAt > retained) running.push(...runLines(run));
    else expired += 1;
  }
  if (expired > 0) onExpired(expired);
  const staying = new Set(running.map(pointKeyOf));
  const removals = runs.remove
    .filter(({ startedAt }) => startedAt > retained)
    .flatMap(removalLines)
    .filter((line) => !staying.has(pointKeyOf(line)));
  return { lines, runs: running, sites, removals };
}

export function titleLine({ titleId, ...counts }: TitleSnapshot, time: string): string {
  return lineOf({ measurement: 'title', tags: { titleId }, time }, { ...counts });
}

export function matchLine({ slot, titleId, host, players, maxPlayers }: MatchSnapshot): string {
  const point = { measurement: 'match', tags: { titleId }, time: timeOfHost(slot, host) };
  return lineOf(point, { host, players, maxPlayers });
}

export function siteLine({ slot, online, registered, lobbies, missing }: SiteSnapshot): string {
  return lineOf({ measurement: 'site', time: timeOf(slot) }, { online, missing, registered, lobbies });
}

function registeredIn(slots: readonly SlotSnapshot[]): RegisteredCount[] {
  return slots.flatMap(({ site: { slot, registered } }) =>
    registered === null ? [] : [{ day: dayOf(slot), registered, seenAt: slot }],
  );
}
