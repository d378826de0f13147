import { slotOf, type EpochSeconds } from '@lobbystats/contracts';
import type { SqliteStore } from '@lobbystats/service-kit/sqlite';
import type { MatchRun } from '../matches/match-runs.ts';
import type { MatchSnapshot, SiteSnapshot, SlotSnapshot, TitleSnapshot } from '../snapshots/snapshots.ts';
import { dailies as sqliteDailies } from '../days/dailies.sqlite.ts';
import { siteDays as sqliteSiteDays } from '../days/site-days.sqlite.ts';
import { slotWrites as sqliteSlotWrites } from '../snapshots/slot-writes.sqlite.ts';
import { titleKey } from '../titles/titles.sqlite.ts';
import type { BucketNames } from './buckets.influx.ts';
import { registeredCount, TITLE_DAY_FIELDS } from '../days/dailies.influx.ts';
import { readRuns } from '../matches/match-runs.influx.ts';
import type { Row } from './query-response.influx.ts';
import { siteDay, SITE_DAY_FIELDS } from '../days/site-days.influx.ts';
import { byTitle, siteSnapshot, titleSnapshot } from '../snapshots/slot-reads.influx.ts';
import { titleFields } from '../snapshots/title-counts.ts';
import type { StoreParts } from './store-parts.influx.ts';

/** Bounds the rows of a response. */
const WINDOW_SECONDS = 6 * 3600;

/** Days from `first` to before `end`. `titleId`: snapshots, days and records of that title alone. */
export interface Affected {
  readonly first: EpochSeconds;
  readonly end: EpochSeconds;
  readonly titleId: string | undefined;
}

type Source = Pick<StoreParts, 'influx' | 'horizon'>;

/**
 * Copies what a withdrawal reads to an empty store: all of the affected days, and of the other days the highest counts of
 * titles. Returns the runs.
 */
export async function copyAffected(
  source: Source,
  affected: Affected,
  copy: SqliteStore,
): Promise<readonly MatchRun[]> {
  const { first, end } = affected;
  const writes = sqliteSlotWrites(copy);
  const sites = (await rows(source, 'snapshots', 'SELECT online, registered, lobbies, missing FROM site')).map(
    siteSnapshot,
  );
  const isAffected = ({ slot }: SiteSnapshot) => slot >= first && slot < end;
  const others = sites.filter((site) => !isAffected(site)).map((site) => ({ site, titles: [], matches: [] }));
  await writes.commit({ slots: others, runs: { put: [], remove: [] } });
  const inDays = sites.filter(isAffected);
  for (let from = first; from < end; from += WINDOW_SECONDS) {
    const slots = await readSlots(source, affected, { from, sites: inDays });
    await writes.commit({ slots, runs: { put: [], remove: [] } });
  }
  const runs = await readRuns(source, { from: first, to: end - 1 });
  await writes.commit({ slots: [], runs: { put: runs, remove: [] } });
  await copyPeaks(source, affected, copy);
  await copyDays(source, affected, copy);
  return runs;
}

async function readSlots(
  source: Source,
  { titleId }: Affected,
  { from, sites }: { from: EpochSeconds; sites: readonly SiteSnapshot[] },
): Promise<SlotSnapshot[]> {
  const where = `${inRange(from, from + WINDOW_SECONDS)}${ofTitle(titleId)}`;
  const titles = new Map<EpochSeconds, TitleSnapshot[]>();
  const statement = `SELECT titleId::tag, ${titleFields.join(', ')} FROM title ${where}`;
  for (const row of await rows(source, 'snapshots', statement)) append(titles, Number(row[0]), titleSnapshot(row));
  const matches = new Map<EpochSeconds, MatchSnapshot[]>();
  for (const [time, title, host, players, maxPlayers] of await rows(
    source,
    'snapshots',
    `SELECT titleId::tag, host, players, maxPlayers FROM match ${where}`,
  )) {
    const slot = slotOf(Number(time));
    const match = { slot, titleId: String(title), host: String(host) };
    append(matches, slot, { ...match, players: Number(players), maxPlayers: Number(maxPlayers) });
  }
  return sites
    .filter(({ slot }) => slot >= from && slot < from + WINDOW_SECONDS)
    .map((site) => ({ site, titles: titles.get(site.slot) ?? [], matches: matches.get(site.slot) ?? [] }));
}

/** A snapshot for each highest count, of equal ones the first; days before the snapshots have but their peak. */
async function copyPeaks(source: Source, { first, end, titleId }: Affected, copy: SqliteStore): Promise<void> {
  const put = `INSERT INTO title_snapshot (title_id, slot, online, lobbies) VALUES (?, ?, ?, ?)
    ON CONFLICT DO UPDATE SET online = max(online, excluded.online), lobbies = ifnull(excluded.lobbies, lobbies)`;
  for (const [from, to] of [
    [0, first],
    [end, FOREVER],
  ] as const) {
    for (const measure of ['online', 'lobbies'] as const) {
      const statement = `SELECT max(${measure}) FROM title ${inRange(from, to)}${ofTitle(titleId)}`;
      for (const [id, [slot, count]] of await peaksByTitle(source, 'snapshots', statement)) {
        const values = measure === 'online' ? [Number(count), null] : [0, Number(count)];
        copy.run('INSERT OR IGNORE INTO title (id) VALUES (?)', titleKey(id));
        copy.run(put, titleKey(id), Number(slot), ...values);
      }
    }
  }
  const peaks = `SELECT max(peakOnline) FROM title_daily ${inRange(0, first)}${ofTitle(titleId)}`;
  for (const [id, [day, peak]] of await peaksByTitle(source, 'daily', peaks)) {
    copy.run('INSERT INTO title_daily VALUES (?, ?, 0, 0, 0, ?, 0, 0, 0)', titleKey(id), Number(day), Number(peak));
  }
}

/** Days and records as they are stored: registered users have other readings than those of slots too. */
async function copyDays(source: Source, { first, end, titleId }: Affected, copy: SqliteStore): Promise<void> {
  copy.run('DELETE FROM site_daily');
  const registered = await rows(source, 'daily', 'SELECT registered, seenAt FROM site_daily');
  await sqliteDailies(copy).putRegistered(registered.map(registeredCount));
  const ofDays = `${inRange(first, end)}${ofTitle(titleId)}`;
  const days = await rows(
    source,
    'daily',
    `SELECT ${SITE_DAY_FIELDS.join(', ')} FROM site_rollup ${inRange(first, end)}`,
  );
  await sqliteSiteDays(copy).putSiteDays(days.map(siteDay));
  for (const [day, title, ...counts] of await rows(
    source,
    'daily',
    `SELECT titleId::tag, ${TITLE_DAY_FIELDS.join(', ')} FROM title_daily ${ofDays}`,
  )) {
    const values = [titleKey(String(title)), Number(day), ...counts.map(Number)];
    copy.run('INSERT INTO title_daily VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)', ...values);
  }
  const records = `SELECT titleId::tag, online, onlineAt, lobbies, lobbiesAt FROM title_record ${inRange(0, 1)}${ofTitle(titleId)}`;
  for (const [, title, online, onlineAt, lobbies, lobbiesAt] of await rows(source, 'daily', records)) {
    for (const [measure, count, at] of [
      ['online', online, onlineAt],
      ['lobbies', lobbies, lobbiesAt],
    ] as const) {
      if (typeof count !== 'number') continue;
      copy.run('INSERT INTO title_record VALUES (?, ?, ?, ?)', titleKey(String(title)), measure, count, Number(at));
    }
  }
}

async function rows({ influx }: Source, bucket: keyof BucketNames, statement: string): Promise<readonly Row[]> {
  const [series = []] = await influx.query(bucket, statement, {});
  return series.flatMap(({ values }) => values);
}

async function peaksByTitle({ influx }: Source, bucket: keyof BucketNames, statement: string) {
  const [series] = await influx.query(bucket, `${statement} GROUP BY titleId`, {});
  return byTitle(series);
}

const FOREVER: EpochSeconds = 9_000_000_000;

function inRange(from: EpochSeconds, end: EpochSeconds): string {
  return `WHERE time >= ${from}s AND time < ${end}s`;
}

function ofTitle(titleId: string | undefined): string {
  return titleId === undefined ? '' : ` AND titleId = '${titleId}'`;
}

function append<Value>(to: Map<EpochSeconds, Value[]>, slot: EpochSeconds, value: Value): void {
  const some = to.get(slot);
  if (some === undefined) to.set(slot, [value]);
  else some.push(value);
}
