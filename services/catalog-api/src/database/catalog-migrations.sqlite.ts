import { outboxTable } from '@lobbystats/service-kit/sqlite';
import { boardTables } from '../leaderboards/board-tables.sqlite.ts';
import { eventTables } from '../events/event-store.sqlite.ts';
import { nameTables } from '../search/name-search.sqlite.ts';
import { iconTable } from '../titles/icon-store.sqlite.ts';
import { userTables } from '../players/player-store.sqlite.ts';

export const catalogMigrations: readonly string[] = [
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
    home_product_code TEXT,
    page_seen_at INTEGER,
    page_title TEXT,
    page_publisher TEXT,
    page_release_date TEXT,
    changed_at INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID;
  ${outboxTable}
  ${boardTables}
  ${eventTables}
  ${userTables}
  ${nameTables}
  `,
  iconTable,
  'ALTER TABLE change ADD COLUMN beaten TEXT',
];
