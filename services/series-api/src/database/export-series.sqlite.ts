import type { SqliteStore } from '@lobbystats/service-kit/sqlite';
import type { MatchRun } from '../matches/match-runs.ts';
import type { TitleDay, RegisteredCount, SiteDay, TitleRecords } from './series-store.ts';
import type { MatchSnapshot, SiteSnapshot, TitleSnapshot } from '../snapshots/snapshots.ts';
import { registeredLine, titleDayLine } from '../days/dailies.influx.ts';
import { runLines } from '../matches/match-runs.influx.ts';
import { timeOf } from '../snapshots/points.influx.ts';
import { matchLine, siteLine, titleLine } from '../snapshots/slot-writes.influx.ts';
import { withdrawnLine } from '../snapshots/withdrawals.influx.ts';
import { TITLE_SELECTION } from '../snapshots/title-counts.ts';
import { siteDayLine } from '../days/site-days.influx.ts';
import { titleRecordLine } from '../days/title-records.influx.ts';
import { titleInfo } from '../titles/titles.influx.ts';
import { RUN_COLUMNS } from '../matches/match-runs.sqlite.ts';
import { SITE_DAY_COLUMNS } from '../days/site-days.sqlite.ts';
import { titleIdOf } from '../titles/titles.sqlite.ts';

type ExportedLine = readonly [kind: 'snapshots' | 'daily', line: string];
type WithTitleKey<Row> = Omit<Row, 'titleId'> & { titleKey: number };

interface TitleRecordRow {
  title_id: number;
  measure: keyof TitleRecords;
  at: number;
  count: number;
}

export function* exportSeries(sqlite: SqliteStore): Generator<ExportedLine> {
  const rows = <Row>(sql: string) => sqlite.prepare(sql).iterate() as IterableIterator<Row>;
  for (const row of rows<SiteSnapshot>('SELECT slot, online, registered, lobbies, missing FROM site_snapshot')) {
    yield ['snapshots', siteLine(row)];
  }
  const titles = `SELECT title_id AS titleKey, slot, ${TITLE_SELECTION} FROM title_snapshot`;
  for (const { titleKey, slot, ...row } of rows<WithTitleKey<TitleSnapshot> & { slot: number }>(titles)) {
    yield ['snapshots', titleLine({ ...row, titleId: titleIdOf(titleKey) }, timeOf(slot))];
  }
  const matches = `SELECT slot, title_id AS titleKey, host.name AS host, players, max_players AS maxPlayers
    FROM match_snapshot JOIN host ON host.id = host_id`;
  for (const { titleKey, ...row } of rows<WithTitleKey<MatchSnapshot>>(matches)) {
    yield ['snapshots', matchLine({ ...row, titleId: titleIdOf(titleKey) })];
  }
  const runs = `SELECT title_id AS titleKey, ${RUN_COLUMNS} FROM match_run JOIN host ON host.id = host_id`;
  for (const { titleKey, ...row } of rows<WithTitleKey<MatchRun>>(runs)) {
    for (const line of runLines({ ...row, titleId: titleIdOf(titleKey) })) yield ['snapshots', line];
  }
  for (const { slot, until } of rows<{ slot: number; until: number }>('SELECT slot, until FROM withdrawn_slot')) {
    yield ['snapshots', withdrawnLine(slot, until)];
  }
  yield* exportDays(rows);
}

function* exportDays(rows: <Row>(sql: string) => IterableIterator<Row>): Generator<ExportedLine> {
  for (const { id, name, revision } of rows<{ id: number; name: string; revision: number }>('SELECT * FROM title')) {
    const known = titleInfo(titleIdOf(id)).booleanField('known', true);
    if (name !== '' || revision !== 0) known.stringField('name', name).intField('revision', revision);
    yield ['daily', known.toString()];
  }
  for (const count of rows<RegisteredCount>('SELECT day, registered, seen_at AS seenAt FROM site_daily')) {
    yield ['daily', registeredLine(count)];
  }
  for (const day of rows<SiteDay>(`SELECT ${SITE_DAY_COLUMNS} FROM site_rollup`)) yield ['daily', siteDayLine(day)];
  for (const { title_id: key, measure, at, count } of rows<TitleRecordRow>('SELECT * FROM title_record')) {
    yield ['daily', titleRecordLine(titleIdOf(key), measure, [at, count])];
  }
  const days = `SELECT title_id AS titleKey, day, lobby_count AS lobbyCount, unique_hosts AS uniqueHosts,
    peak_players AS peakPlayers, peak_online AS peakOnline, online_sum AS onlineSum, samples, newest_slot AS newestSlot
    FROM title_daily`;
  for (const { titleKey, ...day } of rows<TitleDay & { titleKey: number }>(days)) {
    yield ['daily', titleDayLine(titleIdOf(titleKey), day)];
  }
}
