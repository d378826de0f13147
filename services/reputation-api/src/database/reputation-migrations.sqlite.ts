import { outboxTable } from '@lobbystats/service-kit/sqlite';

export const reputationMigrations: readonly string[] = [
  `
  CREATE TABLE reputation (
    only INTEGER PRIMARY KEY CHECK (only = 1),
    revision INTEGER NOT NULL,
    mark_key TEXT NOT NULL
  ) STRICT;
  INSERT INTO reputation VALUES (1, 0, lower(hex(randomblob(32))));

  -- revision: NULL where nobody has told of them.
  CREATE TABLE rated_user (
    user_key TEXT PRIMARY KEY,
    username TEXT NOT NULL,
    revision INTEGER,
    player_key TEXT NOT NULL,
    rating_count INTEGER NOT NULL,
    star_sum INTEGER NOT NULL,
    ratings_given INTEGER NOT NULL,
    barred INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID;

  CREATE TABLE rating (
    profile_key TEXT NOT NULL,
    rater_key TEXT NOT NULL,
    rater_username TEXT NOT NULL,
    stars INTEGER NOT NULL,
    comment TEXT,
    hidden INTEGER NOT NULL,
    counts INTEGER NOT NULL,
    created_at INTEGER NOT NULL,
    reported_at INTEGER,
    report_reason TEXT,
    reported_comment TEXT,
    PRIMARY KEY (profile_key, rater_key)
  ) STRICT, WITHOUT ROWID;
  -- Usernames are ASCII: the order of their bytes is that of their code points.
  CREATE INDEX rating_by_time ON rating (profile_key, counts, created_at DESC, rater_username);
  CREATE INDEX rating_by_rater ON rating (rater_key, profile_key);
  CREATE INDEX rating_by_rater_time ON rating (rater_key, created_at DESC, profile_key);
  CREATE INDEX rating_by_report ON rating (reported_at) WHERE reported_at IS NOT NULL;

  CREATE TABLE erased_user (mark TEXT PRIMARY KEY) STRICT, WITHOUT ROWID;
  ${outboxTable}
  `,
];
