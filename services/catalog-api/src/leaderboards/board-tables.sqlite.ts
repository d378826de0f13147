/** A numeric `title_id` keeps indexes small and in title ID order. */
export const boardTables = `
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
