import type { SqliteStore } from '@lobbystats/service-kit/sqlite';
import type { MatchRun } from '../matches/match-runs.ts';
import { timeOf } from '../database/lines.ts';
import { TITLE_SELECTION } from '../database/schema.ts';
import {
  registeredLine,
  SITE_DAY_COLUMNS,
  siteDayLine,
  type RegisteredCount,
  type SiteDay,
} from '../days/site-days.queries.ts';
import { TITLE_DAY_COLUMNS, titleDayLine, type TitleDay } from '../days/title-days.queries.ts';
import { titleRecordLine, type TitleRecords } from '../days/title-records.queries.ts';
import { matchLine, siteLine, titleLine } from '../ingest/commits.queries.ts';
import { withdrawnLine } from '../ingest/removals.queries.ts';
import { RUN_COLUMNS, runLines } from '../matches/runs.queries.ts';
import type { MatchSnapshot, SiteSnapshot, TitleSnapshot } from '../slots/snapshots.ts';
import { titleIdOf, titleNameLine } from '../titles/titles.queries.ts';

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
    const isNamed = name !== '' || revision !== 0;
    yield ['daily', titleNameLine(titleIdOf(id), { known: true, ...(isNamed && { name, revision }) })];
  }
  for (const count of rows<RegisteredCount>('SELECT day, registered, seen_at AS seenAt FROM site_daily')) {
    yield ['daily', registeredLine(count)];
  }
  for (const day of rows<SiteDay>(`SELECT ${SITE_DAY_COLUMNS} FROM site_rollup`)) yield ['daily', siteDayLine(day)];
  for (const { title_id: key, measure, at, count } of rows<TitleRecordRow>('SELECT * FROM title_record')) {
    yield ['daily', titleRecordLine(titleIdOf(key), measure, [at, count])];
  }
  const days = `SELECT title_id AS titleKey, ${TITLE_DAY_COLUMNS} FROM title_daily`;
  for (const { titleKey, ...day } of rows<TitleDay & { titleKey: number }>(days)) {
    yield ['daily', titleDayLine(titleIdOf(titleKey), day)];
  }
}
