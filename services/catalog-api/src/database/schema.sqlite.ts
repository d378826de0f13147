import { outboxTable } from '@lobbystats/service-kit/sqlite-outbox';

/** A numeric `title_id` keeps indexes small and in title ID order. */
const boardTables = `
  CREATE TABLE change_log (
    only INTEGER PRIMARY KEY CHECK (only = 1),
    revision INTEGER NOT NULL,
    last_id INTEGER NOT NULL,
    last_changed_at INTEGER NOT NULL
  ) STRICT;
  INSERT INTO change_log VALUES (1, 0, 0, 0);

  CREATE TABLE board (
    title_id INTEGER NOT NULL,
    leaderboard_id INTEGER NOT NULL,
    name TEXT NOT NULL,
    is_time INTEGER NOT NULL,
    entry_count INTEGER NOT NULL,
    gone INTEGER NOT NULL,
    version INTEGER NOT NULL,
    pass INTEGER NOT NULL,
    changed_at INTEGER NOT NULL,
    observed_at INTEGER NOT NULL,
    PRIMARY KEY (title_id, leaderboard_id)
  ) STRICT, WITHOUT ROWID;

  -- An entry keeps its entry_no when it moves: a record at the top moves all others, and positions are not indexed.
  -- time_ms is null on a score board, so that searches by time skip it.
  CREATE TABLE entry (
    title_id INTEGER NOT NULL,
    leaderboard_id INTEGER NOT NULL,
    entry_no INTEGER NOT NULL,
    place INTEGER NOT NULL,
    rank INTEGER NOT NULL,
    name TEXT NOT NULL,
    player_key TEXT NOT NULL,
    rating TEXT NOT NULL,
    time_ms INTEGER,
    PRIMARY KEY (title_id, leaderboard_id, entry_no)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX entry_by_time ON entry (time_ms, title_id, leaderboard_id) WHERE time_ms IS NOT NULL;
  CREATE INDEX entry_by_title_and_time ON entry (title_id, time_ms, leaderboard_id) WHERE time_ms IS NOT NULL;
  CREATE INDEX entry_by_player ON entry (player_key, title_id, leaderboard_id);

  -- A packed content; null where the board was gone at the end of the day.
  CREATE TABLE board_version (
    version_id INTEGER PRIMARY KEY,
    title_id INTEGER NOT NULL,
    leaderboard_id INTEGER NOT NULL,
    day TEXT NOT NULL,
    content BLOB,
    UNIQUE (title_id, leaderboard_id, day)
  ) STRICT;

  -- The last content of boards that are gone.
  CREATE TABLE gone_board (
    title_id INTEGER NOT NULL,
    leaderboard_id INTEGER NOT NULL,
    content BLOB NOT NULL,
    PRIMARY KEY (title_id, leaderboard_id)
  ) STRICT, WITHOUT ROWID;

  CREATE TABLE change (
    id INTEGER PRIMARY KEY,
    type TEXT NOT NULL,
    title_id INTEGER NOT NULL,
    leaderboard_id INTEGER NOT NULL,
    player_name TEXT NOT NULL,
    is_time INTEGER NOT NULL,
    old_rank INTEGER,
    new_rank INTEGER,
    old_rating TEXT,
    new_rating TEXT,
    old_time_ms INTEGER,
    new_time_ms INTEGER,
    changed_at INTEGER NOT NULL,
    player_key TEXT NOT NULL
  ) STRICT;
  -- Each is followed by the id.
  CREATE INDEX change_by_title ON change (title_id);
  CREATE INDEX change_by_type ON change (type);
  CREATE INDEX change_by_title_and_type ON change (title_id, type);
  CREATE INDEX change_by_time ON change (changed_at);
  CREATE INDEX change_by_player ON change (player_key);
  CREATE INDEX change_by_player_and_board ON change (player_key, title_id, leaderboard_id);
  CREATE INDEX change_record ON change (new_rank) WHERE new_rank = 1;
  CREATE INDEX change_record_by_title ON change (title_id) WHERE new_rank = 1;

  -- title_id -1: all titles.
  CREATE TABLE change_count (
    title_id INTEGER NOT NULL,
    type TEXT NOT NULL,
    count INTEGER NOT NULL,
    PRIMARY KEY (title_id, type)
  ) STRICT, WITHOUT ROWID;
`;

const eventTables = `
  CREATE TABLE event_list (
    only INTEGER PRIMARY KEY CHECK (only = 1),
    revision INTEGER NOT NULL,
    seen_at INTEGER NOT NULL,
    changed_at INTEGER NOT NULL
  ) STRICT;
  INSERT INTO event_list VALUES (1, 0, 0, 0);

  -- event: as it was announced, JSON.
  CREATE TABLE event (
    event_id INTEGER PRIMARY KEY,
    starts_at INTEGER NOT NULL,
    ends_at INTEGER,
    event TEXT NOT NULL,
    archived INTEGER NOT NULL,
    changed_at INTEGER NOT NULL,
    revised_at INTEGER NOT NULL
  ) STRICT;
  -- Archived events are found by id alone.
  CREATE INDEX listed_event ON event (event_id) WHERE archived = 0;
`;

/** `player_key` is null without a gamertag. */
const userTables = `
  CREATE TABLE tracked_user (
    user_key TEXT PRIMARY KEY,
    player_key TEXT,
    gamertag TEXT NOT NULL,
    revision INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX tracked_user_by_player ON tracked_user (player_key) WHERE player_key IS NOT NULL;

  CREATE TABLE mark_key (only INTEGER PRIMARY KEY CHECK (only = 1), key TEXT NOT NULL) STRICT;
  INSERT INTO mark_key VALUES (1, lower(hex(randomblob(32))));
  -- mark: the keyed hash of an erased user key.
  CREATE TABLE erased_user (mark TEXT PRIMARY KEY) STRICT, WITHOUT ROWID;
`;

/**
 * `name_word`: a row for each word of the name of a player (title_id -1) or leaderboard; the key ends in what identifies
 * it. `name_part`: a row for each place within a word. `player_name`: the spelling whose words are stored.
 */
const nameTables = `
  CREATE TABLE name_word (
    is_first INTEGER NOT NULL,
    entries INTEGER NOT NULL,
    word_key TEXT NOT NULL,
    player_key TEXT NOT NULL,
    title_id INTEGER NOT NULL,
    leaderboard_id INTEGER NOT NULL,
    PRIMARY KEY (is_first, entries DESC, word_key, player_key, title_id, leaderboard_id)
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE name_part (
    part TEXT NOT NULL,
    player_key TEXT NOT NULL,
    title_id INTEGER NOT NULL,
    leaderboard_id INTEGER NOT NULL,
    PRIMARY KEY (part, player_key, title_id, leaderboard_id)
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE player_name (player_key TEXT PRIMARY KEY, name TEXT NOT NULL) STRICT, WITHOUT ROWID;`;

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
  `
  CREATE TABLE icon (title_id TEXT PRIMARY KEY, seen_at INTEGER NOT NULL, image BLOB NOT NULL) STRICT;`,
  'ALTER TABLE change ADD COLUMN beaten TEXT',
];
