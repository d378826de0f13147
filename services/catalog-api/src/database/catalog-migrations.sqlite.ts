import { outboxTable, type Migration } from '@lobbystats/sqlite-store';
import { addChangePlayers, boardTables, observedAtColumn } from '../leaderboards/board-tables.sqlite.ts';
import { eventArchive, eventRevisions, eventTables } from '../events/event-store.sqlite.ts';
import { addNameWords } from '../search/name-search.sqlite.ts';
import { userTables } from '../players/player-store.sqlite.ts';

export const catalogMigrations: readonly Migration[] = [
  `
  CREATE TABLE catalog (only INTEGER PRIMARY KEY CHECK (only = 1), revision INTEGER NOT NULL) STRICT;
  INSERT INTO catalog (only, revision) VALUES (1, 0);

  -- A part is present if its seen_at is not null.
  CREATE TABLE title (
    title_id TEXT PRIMARY KEY,
    home_seen_at INTEGER,
    home_name TEXT,
    home_image TEXT,
    home_publisher TEXT,
    page_seen_at INTEGER,
    page_title TEXT,
    page_publisher TEXT,
    page_release_date TEXT,
    changed_at INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID;

  CREATE TABLE outbox (
    revision INTEGER PRIMARY KEY,
    occurred_at INTEGER NOT NULL,
    past INTEGER NOT NULL,
    titles TEXT NOT NULL
  ) STRICT;
  `,
  `
  ALTER TABLE outbox RENAME TO title_outbox;
  ${outboxTable}
  INSERT INTO outbox (type, id, occurred_at, past, data)
    SELECT 'title.stored', 'title.stored:' || origin.value || ':' || revision, occurred_at, past,
        '{"revision":' || revision || ',"titles":' || titles || '}'
      FROM title_outbox JOIN store_identity AS origin ON origin.key = 'origin' ORDER BY revision;
  DROP TABLE title_outbox;
  `,
  boardTables,
  eventTables,
  userTables,
  eventArchive,
  observedAtColumn,
  addChangePlayers,
  // The next one replaces it.
  '',
  addNameWords,
  eventRevisions,
  'ALTER TABLE title ADD COLUMN home_product_code TEXT;',
  `
  CREATE INDEX change_record ON change (new_rank) WHERE new_rank = 1;
  CREATE INDEX change_record_by_title ON change (title_id) WHERE new_rank = 1;
  `,
];
