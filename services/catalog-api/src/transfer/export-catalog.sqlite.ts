import type { SqliteStore } from '@lobbystats/service-kit/sqlite';
import {
  ENTRY_COLUMNS,
  entryDocuments,
  OF_BOARD,
  STATE_COLUMNS,
  stateOf,
  titleIdOf,
  versionRowId,
  type StateRow,
} from '../boards/board-rows.ts';
import { boardId, type BoardState, type Entry } from '../boards/board.ts';
import { packContent } from '../boards/packed-content.ts';
import {
  ALL_TITLES,
  ALL_TITLES_KEY,
  CHANGE_COLUMNS,
  changeDocument,
  changeOfRow,
  countId,
  type ChangeRow,
} from '../changes/change-rows.ts';
import { recordOf, type TitleRow } from '../titles/titles.queries.ts';

export type ExportedDocument = readonly [collection: string, document: object];

export function* exportCatalog(sqlite: SqliteStore): Generator<ExportedDocument> {
  const rows = <Row>(sql: string) => sqlite.prepare(sql).iterate() as IterableIterator<Row>;
  yield ['catalog', { _id: 'titles', ...sqlite.get<object>('SELECT revision FROM catalog') }];
  const log = 'SELECT revision, last_id AS lastId, last_changed_at AS lastChangedAt FROM change_log';
  yield ['catalog', { _id: 'boards', ...sqlite.get<object>(log) }];
  const list = 'SELECT revision, seen_at AS seenAt, changed_at AS changedAt FROM event_list';
  yield ['catalog', { _id: 'events', ...sqlite.get<object>(list) }];
  yield ['catalog', { _id: 'marks', ...sqlite.get<object>('SELECT key FROM mark_key') }];
  for (const row of rows<TitleRow>('SELECT * FROM title')) {
    const { titleId, ...fields } = recordOf(row);
    yield ['title', { _id: titleId, ...fields }];
  }
  for (const row of rows<object>('SELECT title_id AS _id, seen_at AS seenAt, image FROM icon'))
    yield ['icon', { ...row }];
  const times = 'starts_at AS startsAt, ends_at AS endsAt, changed_at AS changedAt, revised_at AS revisedAt';
  const events = `SELECT event_id AS _id, ${times}, event, archived FROM event`;
  for (const { archived, event, ...fields } of rows<EventRow>(events)) {
    yield ['event', { ...fields, event: JSON.parse(event) as unknown, ...(archived === 1 && { archived: true }) }];
  }
  for (const row of rows<object>(
    'SELECT user_key AS _id, player_key AS playerKey, gamertag, revision FROM tracked_user',
  )) {
    yield ['tracked_user', { ...row }];
  }
  for (const row of rows<object>('SELECT mark AS _id FROM erased_user')) yield ['erased_user', { ...row }];
  yield* exportBoards(sqlite, rows);
  yield* exportChanges(rows);
}

type Rows = <Row>(sql: string) => IterableIterator<Row>;

interface EventRow {
  event: string;
  archived: number;
}

function* exportBoards(sqlite: SqliteStore, rows: Rows): Generator<ExportedDocument> {
  const entriesOf = `SELECT ${ENTRY_COLUMNS} FROM entry WHERE ${OF_BOARD} ORDER BY place`;
  const lastContentOf = `SELECT content FROM gone_board WHERE ${OF_BOARD}`;
  for (const row of rows<StateRow>(`SELECT ${STATE_COLUMNS} FROM board`)) {
    const state: BoardState = stateOf(row);
    const key = [row.titleKey, row.leaderboardId] as const;
    const { titleId, leaderboardId, name, isTime, entryCount, gone, ...times } = state;
    const _id = boardId(state);
    yield ['board', { _id, titleId, leaderboardId, name, isTime, entryCount, gone, ...times }];
    if (gone) {
      const content = sqlite.get<{ content: Uint8Array }>(lastContentOf, ...key)?.content;
      if (content !== undefined) yield ['board_content', { _id, gone, content }];
    } else {
      const entries = sqlite.all<Entry>(entriesOf, ...key);
      yield ['board_content', { _id, gone, content: packContent({ name, isTime, entries }) }];
      for (const entry of entryDocuments(state, { isTime, entries })) yield ['entry', entry];
    }
  }
  const versions = 'SELECT title_id AS titleKey, leaderboard_id AS leaderboardId, day, content FROM board_version';
  for (const { titleKey, leaderboardId, day, content } of rows<VersionRow>(versions)) {
    const board = boardId({ titleId: titleIdOf(titleKey), leaderboardId });
    yield ['board_version', { _id: versionRowId(board, day), content }];
  }
}

interface VersionRow {
  titleKey: number;
  leaderboardId: number;
  day: string;
  content: Uint8Array | null;
}

function* exportChanges(rows: Rows): Generator<ExportedDocument> {
  for (const row of rows<ChangeRow>(`SELECT ${CHANGE_COLUMNS} FROM change ORDER BY id`)) {
    yield ['change', changeDocument(changeOfRow(row))];
  }
  const counts = 'SELECT title_id AS titleKey, type, count FROM change_count';
  for (const { titleKey, type, count } of rows<{ titleKey: number; type: string; count: number }>(counts)) {
    const title = titleKey === ALL_TITLES_KEY ? ALL_TITLES : titleIdOf(titleKey);
    yield ['change_count', { _id: countId(title, type), count }];
  }
}
