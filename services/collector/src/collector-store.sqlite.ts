import { openSqliteStore } from '@lobbystats/service-kit/sqlite';
import type { CollectorStore } from './collector-store.ts';
import {
  createSqliteBoardBackfillStore,
  createSqliteBackfillStore,
  createSqlitePlayerBackfillStore,
} from './backfills/backfill-store.sqlite.ts';
import { createSqliteKeptPages } from './slots/kept-pages.sqlite.ts';
import { createSqliteBoardCrawlState } from './boards/board-crawl-state.sqlite.ts';
import { createSqlitePageCache } from './sources/client/page-cache.sqlite.ts';
import { createSqliteSlotStore } from './slots/slot-store.sqlite.ts';
import { createSqliteWithdrawalStore } from './slots/withdrawal-store.sqlite.ts';
import { createSqliteAnnouncedTitles } from './titles/announced-titles.sqlite.ts';

/**
 * Opens the collector's store in a SQLite file. Its data can be read from the network again, so a power cut may lose the
 * last commits; a killed process loses none.
 *
 * @param url `sqlite:PATH`
 * @throws StoreRefusedError when it belongs to another network or to newer code
 */
export function openSqliteCollectorStore(url: string, origin: string): CollectorStore {
  const store = openSqliteStore({ url, name: 'collector', origin, migrations, durability: 'normal' });
  return {
    slots: createSqliteSlotStore(store),
    withdrawals: createSqliteWithdrawalStore(store),
    pages: createSqlitePageCache(store),
    kept: createSqliteKeptPages(store),
    titles: createSqliteAnnouncedTitles(store),
    backfill: createSqliteBackfillStore(store),
    boards: createSqliteBoardCrawlState(store),
    boardBackfill: createSqliteBoardBackfillStore(store),
    playerBackfill: createSqlitePlayerBackfillStore(store),
    check: async () => store.check(),
    close: async () => store.close(),
  };
}

/** The schema of the collector's store. A released script is never changed: append new ones. */
export const migrations = [
  `CREATE TABLE slot (
     slot INTEGER PRIMARY KEY,
     state TEXT NOT NULL CHECK (state IN ('open', 'finished', 'published', 'missed')),
     deadline_ms INTEGER NOT NULL,
     lease_holder TEXT NOT NULL,
     lease_until_ms INTEGER NOT NULL,
     home TEXT,
     observation TEXT
   ) STRICT;
   CREATE INDEX slot_unsettled ON slot (slot) WHERE state IN ('open', 'finished');

   CREATE TABLE slot_title (
     slot INTEGER NOT NULL REFERENCES slot ON DELETE CASCADE,
     title_id TEXT NOT NULL,
     matches TEXT,
     PRIMARY KEY (slot, title_id)
   ) STRICT, WITHOUT ROWID;
   CREATE INDEX slot_title_awaited ON slot_title (slot) WHERE matches IS NULL;

   CREATE TABLE page (
     url TEXT PRIMARY KEY,
     claim_holder TEXT,
     claim_until_ms INTEGER NOT NULL DEFAULT 0,
     etag TEXT,
     last_modified TEXT,
     reading TEXT
   ) STRICT;

   CREATE TABLE title (
     title_id TEXT PRIMARY KEY,
     home_digest TEXT,
     page_digest TEXT,
     page_slot INTEGER,
     since INTEGER,
     seen_at INTEGER
   ) STRICT, WITHOUT ROWID;

   CREATE TABLE fill (
     id INTEGER PRIMARY KEY CHECK (id = 1),
     from_slot INTEGER NOT NULL,
     to_slot INTEGER NOT NULL,
     from_day INTEGER NOT NULL,
     to_day INTEGER NOT NULL,
     done_from INTEGER NOT NULL,
     days_done INTEGER NOT NULL DEFAULT 0,
     lease_holder TEXT,
     lease_until_ms INTEGER NOT NULL DEFAULT 0
   ) STRICT;

   CREATE TABLE board (
     title_id TEXT NOT NULL,
     leaderboard_id INTEGER NOT NULL,
     turn INTEGER NOT NULL,
     name TEXT NOT NULL,
     listed INTEGER NOT NULL,
     said_pass INTEGER,
     said_digest TEXT,
     validators TEXT NOT NULL DEFAULT '[]',
     owed_at INTEGER,
     saying_pass INTEGER,
     saying_digest TEXT,
     claim_holder TEXT,
     claim_until_ms INTEGER NOT NULL DEFAULT 0,
     PRIMARY KEY (title_id, leaderboard_id)
   ) STRICT, WITHOUT ROWID;
   CREATE INDEX board_due ON board (turn) WHERE listed = 1 OR said_digest IS NOT NULL;
   CREATE INDEX board_owed ON board (owed_at) WHERE owed_at IS NOT NULL;

   CREATE TABLE board_fill (
     id INTEGER PRIMARY KEY CHECK (id = 1),
     from_pass INTEGER NOT NULL,
     to_pass INTEGER NOT NULL,
     cursor TEXT,
     reached INTEGER NOT NULL,
     done INTEGER NOT NULL DEFAULT 0,
     lease_holder TEXT,
     lease_until_ms INTEGER NOT NULL DEFAULT 0
   ) STRICT;

   CREATE TABLE player_fill (
     id INTEGER PRIMARY KEY CHECK (id = 1),
     from_slot INTEGER NOT NULL,
     to_slot INTEGER NOT NULL,
     cursor TEXT,
     done INTEGER NOT NULL DEFAULT 0,
     lease_holder TEXT,
     lease_until_ms INTEGER NOT NULL DEFAULT 0
   ) STRICT;`,
  `ALTER TABLE title ADD COLUMN image TEXT NOT NULL DEFAULT '';
   ALTER TABLE title ADD COLUMN icon_at INTEGER;`,
  // One collector leads: it alone writes.
  `ALTER TABLE slot DROP COLUMN lease_holder;
   ALTER TABLE slot DROP COLUMN lease_until_ms;
   DELETE FROM page WHERE reading IS NULL;
   ALTER TABLE page DROP COLUMN claim_holder;
   ALTER TABLE page RENAME COLUMN claim_until_ms TO stored_at_ms;
   ALTER TABLE board DROP COLUMN claim_holder;
   ALTER TABLE board DROP COLUMN claim_until_ms;
   ALTER TABLE fill DROP COLUMN lease_holder;
   ALTER TABLE fill DROP COLUMN lease_until_ms;
   ALTER TABLE board_fill DROP COLUMN lease_holder;
   ALTER TABLE board_fill DROP COLUMN lease_until_ms;
   ALTER TABLE player_fill DROP COLUMN lease_holder;
   ALTER TABLE player_fill DROP COLUMN lease_until_ms;`,
  `CREATE TABLE kept_page (
     slot INTEGER NOT NULL,
     name TEXT NOT NULL,
     description TEXT NOT NULL,
     bytes INTEGER NOT NULL,
     body BLOB NOT NULL,
     PRIMARY KEY (slot, name)
   ) STRICT;
   CREATE INDEX kept_page_size ON kept_page (slot, bytes);`,
  // message: JSON.
  'CREATE TABLE withdrawal (id TEXT PRIMARY KEY, message TEXT NOT NULL) STRICT, WITHOUT ROWID;',
];
