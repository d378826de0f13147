import type { SqliteStore } from '@lobbystats/sqlite-store';
import type { MatchRun } from '../domain/match-runs.ts';
import type { MatchSnapshot, SiteSnapshot, TitleSnapshot } from '../domain/snapshots.ts';
import { quoted, timeOf } from './influx/line-protocol.ts';
import { runLines } from './influx/match-runs.ts';
import { matchLine, siteLine, titleLine } from './influx/slot-writing.ts';
import { knownTitleLine } from './influx/titles.ts';
import { RUN_COLUMNS } from './sqlite/run-row.ts';
import { titleIdOf } from './sqlite/title-key.ts';

/** A line of InfluxDB's line protocol, and the bucket that it is for. */
type CarriedLine = readonly [kind: 'snapshots' | 'daily', line: string];
type OfTitle<Row> = Omit<Row, 'titleId'> & { titleKey: number };

/** All that the series' SQLite file has, as the points that InfluxDB has of it. */
export function* carriedSeries(sqlite: SqliteStore): Generator<CarriedLine> {
  const rows = <Row>(sql: string) => sqlite.prepare(sql).iterate() as IterableIterator<Row>;
  for (const row of rows<SiteSnapshot>('SELECT slot, online, registered, lobbies, missing FROM site_snapshot')) {
    yield ['snapshots', siteLine(row, timeOf(row.slot))];
  }
  const titles = `SELECT title_id AS titleKey, slot, online, sessions, players, lobbies, lobby_players AS lobbyPlayers
    FROM title_snapshot`;
  for (const { titleKey, slot, ...row } of rows<OfTitle<TitleSnapshot> & { slot: number }>(titles)) {
    yield ['snapshots', titleLine({ ...row, titleId: titleIdOf(titleKey) }, timeOf(slot))];
  }
  const matches = `SELECT slot, title_id AS titleKey, host.name AS host, players, max_players AS maxPlayers
    FROM match_snapshot JOIN host ON host.id = host_id`;
  for (const { titleKey, ...row } of rows<OfTitle<MatchSnapshot>>(matches)) {
    yield ['snapshots', matchLine({ ...row, titleId: titleIdOf(titleKey) })];
  }
  const runs = `SELECT title_id AS titleKey, ${RUN_COLUMNS} FROM match_run JOIN host ON host.id = host_id`;
  for (const { titleKey, ...row } of rows<OfTitle<MatchRun>>(runs)) {
    for (const line of runLines({ ...row, titleId: titleIdOf(titleKey) })) yield ['snapshots', line];
  }
  yield* carriedDays(rows);
}

function* carriedDays(rows: <Row>(sql: string) => IterableIterator<Row>): Generator<CarriedLine> {
  for (const { id, name, revision } of rows<{ id: number; name: string; revision: number }>('SELECT * FROM title')) {
    const titleId = titleIdOf(id);
    const named = name === '' && revision === 0 ? '' : `,name=${quoted(name)},revision=${revision}i`;
    yield ['daily', knownTitleLine(titleId).replace(/(?= 0$)/, named)];
  }
  const counts = 'SELECT day, registered, seen_at AS seenAt FROM site_daily';
  for (const { day, registered, seenAt } of rows<{ day: number; registered: number; seenAt: number }>(counts)) {
    yield ['daily', `site_daily registered=${registered}i,seenAt=${seenAt}i ${timeOf(day)}`];
  }
  const days = `SELECT title_id AS titleKey, day, lobby_count AS lobbyCount, unique_hosts AS uniqueHosts,
    peak_players AS peakPlayers, peak_online AS peakOnline, online_sum AS onlineSum, samples, newest_slot AS newestSlot
    FROM title_daily`;
  for (const { titleKey, day, ...statistics } of rows<{ titleKey: number; day: number }>(days)) {
    const fields = Object.entries(statistics).map(([field, value]) => `${field}=${String(value)}i`);
    yield ['daily', `title_daily,titleId=${titleIdOf(titleKey)} ${fields.join(',')} ${timeOf(day)}`];
  }
}
