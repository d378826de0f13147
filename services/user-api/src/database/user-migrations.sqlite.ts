import { outboxTable } from '@lobbystats/service-kit/sqlite';

export const userMigrations: readonly string[] = [
  `
  -- evaluation: JSON; null until the first one.
  CREATE TABLE user_state (only INTEGER PRIMARY KEY CHECK (only = 1), revision INTEGER NOT NULL, evaluation TEXT) STRICT;
  INSERT INTO user_state VALUES (1, 0, NULL);

  -- seen_at is null for one whom the feed never showed; titles and unlocked are JSON.
  CREATE TABLE user (
    user_no INTEGER PRIMARY KEY,
    key TEXT NOT NULL UNIQUE,
    username TEXT NOT NULL,
    gamertag TEXT NOT NULL,
    player_key TEXT NOT NULL,
    verified INTEGER NOT NULL,
    seen_at INTEGER,
    is_online INTEGER,
    title_id TEXT,
    game TEXT,
    titles TEXT NOT NULL,
    ratings_given INTEGER NOT NULL,
    unlocked TEXT NOT NULL,
    unlock_count INTEGER NOT NULL,
    score INTEGER NOT NULL
  ) STRICT;
  CREATE INDEX user_by_player ON user (player_key);
  CREATE INDEX user_by_score ON user (score DESC, username) WHERE unlock_count > 0;

  CREATE TABLE profile (
    user_key TEXT PRIMARY KEY,
    version INTEGER NOT NULL,
    avatar_url TEXT,
    avatar_hue INTEGER,
    discord_id TEXT,
    discord_verified INTEGER NOT NULL,
    linked_gamertag TEXT,
    bio TEXT,
    social_links TEXT NOT NULL,
    sync_avatar_from_discord INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID;
  CREATE UNIQUE INDEX profile_by_discord ON profile (discord_id) WHERE discord_id IS NOT NULL;

  -- By day first: those who play now are side by side, and old days go from the beginning. titles is JSON.
  CREATE TABLE play_day (
    day INTEGER NOT NULL,
    user_key TEXT NOT NULL,
    titles TEXT NOT NULL,
    PRIMARY KEY (day, user_key)
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE host_day (
    day INTEGER NOT NULL,
    player_key TEXT NOT NULL,
    slots BLOB NOT NULL,
    PRIMARY KEY (day, player_key)
  ) STRICT, WITHOUT ROWID;
  -- standings is JSON.
  CREATE TABLE player (key TEXT PRIMARY KEY, standings TEXT NOT NULL, hosted INTEGER NOT NULL) STRICT, WITHOUT ROWID;

  -- username: so that the newest come in their order without a look at users.
  CREATE TABLE unlock (
    user_key TEXT NOT NULL,
    achievement_id INTEGER NOT NULL,
    unlocked_at INTEGER NOT NULL,
    username TEXT NOT NULL,
    PRIMARY KEY (user_key, achievement_id)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX unlock_by_time ON unlock (unlocked_at DESC, achievement_id, username);
  CREATE TABLE unlock_count (achievement_id INTEGER PRIMARY KEY, count INTEGER NOT NULL) STRICT;
  -- Of those who have an unlock.
  CREATE TABLE score_count (score INTEGER PRIMARY KEY, count INTEGER NOT NULL) STRICT;

  CREATE TABLE definition (id INTEGER PRIMARY KEY, definition TEXT NOT NULL) STRICT;
  CREATE TABLE erased_user (hash TEXT PRIMARY KEY) STRICT, WITHOUT ROWID;
  ${outboxTable}

  -- rules and quiet are JSON.
  CREATE TABLE following (
    user_key TEXT NOT NULL,
    kind TEXT NOT NULL,
    target TEXT NOT NULL,
    id TEXT NOT NULL,
    rules TEXT NOT NULL,
    followed_at INTEGER NOT NULL,
    PRIMARY KEY (user_key, kind, target)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX following_by_target ON following (kind, target, user_key);
  CREATE TABLE quiet_hours (user_key TEXT PRIMARY KEY, quiet TEXT NOT NULL) STRICT, WITHOUT ROWID;

  CREATE TABLE trigger_state (name TEXT PRIMARY KEY, version INTEGER NOT NULL, value TEXT NOT NULL) STRICT, WITHOUT ROWID;
  -- after: the user up to whom subscribers have been notified; null when all have. data is JSON.
  CREATE TABLE occurrence (
    place INTEGER PRIMARY KEY AUTOINCREMENT,
    id TEXT NOT NULL UNIQUE,
    at INTEGER NOT NULL,
    data TEXT NOT NULL,
    after TEXT DEFAULT ''
  ) STRICT;
  CREATE INDEX occurrence_pending ON occurrence (place) WHERE after IS NOT NULL;
  CREATE INDEX occurrence_by_time ON occurrence (at);
  -- items is JSON.
  CREATE TABLE notification (
    id TEXT PRIMARY KEY,
    user_key TEXT NOT NULL,
    kind TEXT NOT NULL,
    target TEXT NOT NULL,
    rule TEXT NOT NULL,
    due_at INTEGER NOT NULL,
    happened_at INTEGER NOT NULL,
    title TEXT NOT NULL,
    items TEXT NOT NULL,
    count INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX notification_by_user ON notification (user_key, due_at);
  CREATE INDEX notification_by_rule ON notification (kind, target, rule, user_key, due_at);
  CREATE INDEX notification_by_time ON notification (due_at);
  `,
  'CREATE INDEX unlock_by_achievement ON unlock (achievement_id, unlocked_at DESC, username);',
  `
  -- next_at: when the channel has something to deliver and is not blocked; null: nothing waits. served_at: when a
  -- channel of its user had the last turn. sealed is encrypted.
  CREATE TABLE channel (
    id TEXT PRIMARY KEY,
    user_key TEXT NOT NULL,
    name TEXT NOT NULL,
    kind TEXT NOT NULL,
    sealed TEXT NOT NULL,
    receiver TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    state TEXT NOT NULL,
    failing_since INTEGER,
    failures INTEGER NOT NULL,
    problem TEXT,
    blocked_until INTEGER NOT NULL,
    next_at INTEGER,
    served_at INTEGER NOT NULL,
    lease TEXT
  ) STRICT, WITHOUT ROWID;
  CREATE UNIQUE INDEX channel_by_name ON channel (user_key, name);
  CREATE INDEX channel_by_turn ON channel (next_at, served_at, user_key, receiver) WHERE next_at IS NOT NULL;
  CREATE TABLE delivery (
    channel_id TEXT NOT NULL,
    message_id TEXT NOT NULL,
    user_key TEXT NOT NULL,
    type TEXT NOT NULL,
    due_at INTEGER NOT NULL,
    state TEXT NOT NULL,
    attempts INTEGER NOT NULL,
    attempted_at INTEGER,
    result TEXT,
    PRIMARY KEY (channel_id, message_id)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX delivery_by_channel ON delivery (channel_id, state, due_at);
  CREATE INDEX delivery_by_user ON delivery (user_key);
  CREATE INDEX delivery_by_time ON delivery (due_at);
  `,
  'CREATE INDEX user_online ON user (key, seen_at, title_id) WHERE is_online = 1;',
  // JSON.
  "ALTER TABLE user_state ADD COLUMN withdrawals TEXT NOT NULL DEFAULT '[]';",
];
