import { DAY_SECONDS, type EpochSeconds } from '@lobbystats/contracts';
import { openSqliteStore, type SqliteStore } from '@lobbystats/service-kit/sqlite';
import { deriveRuns } from '../matches/match-runs.ts';
import { MATCH_END_MAX_SECONDS, storedReadSlots } from '../matches/read-slots.ts';
import { dayOf } from '../snapshots/periods.ts';
import { rollUp } from '../days/rollups.ts';
import type { MatchSnapshot } from '../snapshots/snapshots.ts';
import { rollups } from '../days/dailies.sqlite.ts';
import { matchReads } from '../matches/match-runs.sqlite.ts';
import { migrations } from './series-schema.sqlite.ts';
import { siteDays } from '../days/site-days.sqlite.ts';
import { slotReads } from '../snapshots/slot-reads.sqlite.ts';
import { changeRuns } from '../snapshots/slot-writes.sqlite.ts';
import { raiseTitleRecords } from '../days/title-records.sqlite.ts';
import { titleIdOf, titleKey } from '../titles/titles.sqlite.ts';

/** Slots of a site, or of one of its titles. */
export interface Withdrawal {
  fromInclusive: EpochSeconds;
  toInclusive: EpochSeconds;
  titleId?: string | undefined;
}

/** Values that are derived from slots, as texts by what they are. */
type Derived = ReadonlyMap<string, string>;

export interface WithdrawalReport {
  slots: number;
  titleSnapshots: number;
  matchSnapshots: number;
  /** Peaks, daily rows and records that differ then. `undefined`: there is none. */
  changes: { what: string; before: string | undefined; after: string | undefined }[];
}

/**
 * Removes snapshots from a store that nothing else uses, and derives matches, days, peaks and records again from those
 * that remain. A record that is older than the snapshots has the time of its day's start.
 *
 * @param url `sqlite:PATH`
 */
export async function withdrawSqliteSlots(
  { url, origin }: { url: string; origin: string },
  withdrawal: Withdrawal,
): Promise<WithdrawalReport> {
  const store = openSqliteStore({ url, name: 'series', origin, migrations, durability: 'full' });
  try {
    return await withdrawIn(store, withdrawal);
  } finally {
    store.close();
  }
}

export async function withdrawIn(store: SqliteStore, withdrawal: Withdrawal): Promise<WithdrawalReport> {
  const before = derivedIn(store);
  const counts = removeSnapshots(store, withdrawal);
  const days = await deriveMatches(store, withdrawal);
  dropDerived(store, withdrawal, days);
  await rollUp({ ...slotReads(store), ...matchReads(store), ...siteDays(store), ...rollups(store) }, days);
  deriveRecords(store);
  return { ...counts, changes: changesOf(before, derivedIn(store)) };
}

/** All days, ascending, that runs or slots of the range touch. */
export function daysAround(
  { fromInclusive, toInclusive }: Withdrawal,
  runs: readonly { startedAt: EpochSeconds; endedAt: EpochSeconds }[],
): EpochSeconds[] {
  const days: EpochSeconds[] = [];
  const [first, last] = [
    Math.min(fromInclusive, ...runs.map(({ startedAt }) => startedAt)),
    Math.max(toInclusive, ...runs.map(({ endedAt }) => endedAt)) + MATCH_END_MAX_SECONDS,
  ];
  for (let day = dayOf(first); day <= last; day += DAY_SECONDS) days.push(day);
  return days;
}

function removeSnapshots(store: SqliteStore, { fromInclusive, toInclusive, titleId }: Withdrawal) {
  const [from, to, key] = [fromInclusive, toInclusive, titleId === undefined ? null : titleKey(titleId)];
  const inRange = 'slot BETWEEN ?1 AND ?2 AND (?3 IS NULL OR title_id = ?3)';
  return store.transaction(() => ({
    matchSnapshots: store.run(`DELETE FROM match_snapshot WHERE ${inRange}`, from, to, key),
    titleSnapshots: store.run(`DELETE FROM title_snapshot WHERE ${inRange}`, from, to, key),
    // Without one of its titles, a slot has no number of lobbies.
    slots: store.run(
      key === null
        ? 'DELETE FROM site_snapshot WHERE slot BETWEEN ? AND ?'
        : 'UPDATE site_snapshot SET lobbies = NULL, missing = missing + 1 WHERE slot BETWEEN ? AND ?',
      from,
      to,
    ),
  }));
}

/** Builds the matches around the range again. Returns all days that are affected, ascending. */
async function deriveMatches(
  store: SqliteStore,
  { fromInclusive, toInclusive, titleId }: Withdrawal,
): Promise<EpochSeconds[]> {
  const key = titleId === undefined ? null : titleKey(titleId);
  const runs = store.all<{ titleKey: number; hostId: number; startedAt: number; endedAt: number }>(
    `SELECT title_id AS titleKey, host_id AS hostId, started_at AS startedAt, ended_at AS endedAt FROM match_run
      WHERE ended_at >= ?1 AND started_at <= ?2 AND (?3 IS NULL OR title_id = ?3)`,
    fromInclusive - MATCH_END_MAX_SECONDS,
    toInclusive + MATCH_END_MAX_SECONDS,
    key,
  );
  const begin = runs.reduce((earliest, { startedAt }) => Math.min(earliest, startedAt), fromInclusive);
  const end = runs.reduce((latest, { endedAt }) => Math.max(latest, endedAt), toInclusive);
  const reads = await storedReadSlots(slotReads(store), begin, end);
  const snapshots: MatchSnapshot[] = [];
  const hosts = new Map<string, number>();
  store.transaction(() => {
    for (const { titleKey: title, hostId, startedAt, endedAt } of runs) {
      store.run('DELETE FROM match_run WHERE title_id = ? AND ended_at = ? AND host_id = ?', title, endedAt, hostId);
      const rows = store.all<Omit<MatchSnapshot, 'titleId'>>(
        `SELECT slot, host.name AS host, players, max_players AS maxPlayers FROM match_snapshot
          JOIN host ON host.id = host_id WHERE title_id = ? AND host_id = ? AND slot BETWEEN ? AND ?`,
        title,
        hostId,
        startedAt,
        endedAt,
      );
      for (const row of rows) {
        hosts.set(row.host, hostId);
        snapshots.push({ ...row, titleId: titleIdOf(title) });
      }
    }
    changeRuns(store, deriveRuns([], snapshots, reads), hosts);
  });
  return daysAround({ fromInclusive, toInclusive }, runs);
}

/** Rows that are derived only from more snapshots than before would stay. */
function dropDerived(
  store: SqliteStore,
  { fromInclusive, toInclusive, titleId }: Withdrawal,
  days: readonly EpochSeconds[],
): void {
  const key = titleId === undefined ? null : titleKey(titleId);
  store.transaction(() => {
    for (const day of days) {
      store.run('DELETE FROM site_rollup WHERE day = ?', day);
      store.run('DELETE FROM title_daily WHERE day = ?1 AND (?2 IS NULL OR title_id = ?2)', day, key);
    }
    const ofRange = 'at BETWEEN ?1 AND ?2 AND (?3 IS NULL OR title_id = ?3)';
    store.run(`DELETE FROM title_record WHERE ${ofRange}`, fromInclusive, toInclusive, key);
    if (key !== null) return;
    const readings = 'seen_at BETWEEN ? AND ?';
    const lost = store.all<{ day: number }>(`SELECT day FROM site_daily WHERE ${readings}`, fromInclusive, toInclusive);
    store.run(`DELETE FROM site_daily WHERE ${readings}`, fromInclusive, toInclusive);
    for (const { day } of lost) {
      store.run(
        `INSERT INTO site_daily (day, registered, seen_at) SELECT ?1, registered, slot FROM site_snapshot
          WHERE slot >= ?1 AND slot < ?2 AND registered IS NOT NULL ORDER BY slot DESC LIMIT 1`,
        day,
        day + DAY_SECONDS,
      );
    }
  });
}

/** Peaks of the days whose snapshots have expired, then those of all snapshots. */
function deriveRecords(store: SqliteStore): void {
  store.transaction(() => {
    // First, since snapshots have the time of a record, and days only its day.
    raiseTitleRecords(store, { day: 0, end: Number.MAX_SAFE_INTEGER });
    store.run(
      `INSERT INTO title_record (title_id, measure, count, at)
        SELECT title_id, 'online', max(peak_online), day FROM title_daily
          WHERE day < (SELECT ifnull(min(slot), 0) FROM site_snapshot) GROUP BY title_id
        ON CONFLICT DO UPDATE SET count = excluded.count, at = excluded.at WHERE excluded.count > count`,
    );
  });
}

function derivedIn(store: SqliteStore): Derived {
  const rows = store.all<{ what: string; value: string }>(`
    SELECT 'peak of users online on ' || date(day, 'unixepoch') AS what,
        peak_online || ' at ' || datetime(peak_online_at, 'unixepoch') AS value FROM site_rollup
    UNION ALL SELECT 'snapshots of ' || date(day, 'unixepoch'), CAST(samples AS TEXT) FROM site_rollup
    UNION ALL SELECT 'peak of lobbies on ' || date(day, 'unixepoch'),
        peak_lobbies || ' at ' || datetime(peak_lobbies_at, 'unixepoch') FROM site_rollup WHERE peak_lobbies IS NOT NULL
    UNION ALL SELECT 'matches begun on ' || date(day, 'unixepoch'), CAST(matches AS TEXT) FROM site_rollup
    UNION ALL SELECT 'registered users on ' || date(day, 'unixepoch'), CAST(registered AS TEXT) FROM site_daily
    UNION ALL SELECT 'record of ' || printf('%08x', title_id) || ', ' || measure,
        count || ' at ' || datetime(at, 'unixepoch') FROM title_record
    UNION ALL SELECT 'peak of ' || printf('%08x', title_id) || ' on ' || date(day, 'unixepoch'),
        CAST(peak_online AS TEXT) FROM title_daily`);
  return new Map(rows.map(({ what, value }) => [what, value]));
}

function changesOf(before: Derived, after: Derived): WithdrawalReport['changes'] {
  return [...new Set([...before.keys(), ...after.keys()])]
    .filter((what) => before.get(what) !== after.get(what))
    .sort()
    .map((what) => ({ what, before: before.get(what), after: after.get(what) }));
}
