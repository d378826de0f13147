export const JOURNAL_NAME = 'bus';

/**
 * `seq` is never reused. `priority`: 0 live, 1 past. `attempts`: failed ones. `available_at`: epoch milliseconds. `fact`
 * is the log; `end_byte` is the running total of all bodies ever logged. `delivery` counts recorded hand-overs.
 */
export const journalMigrations = [
  `
  CREATE TABLE queued (
    seq INTEGER PRIMARY KEY AUTOINCREMENT,
    queue TEXT NOT NULL,
    priority INTEGER NOT NULL CHECK (priority IN (0, 1)),
    attempts INTEGER NOT NULL DEFAULT 0,
    available_at INTEGER NOT NULL DEFAULT 0,
    expires_at INTEGER,
    body TEXT NOT NULL
  ) STRICT;
  CREATE INDEX queued_in_order ON queued (queue, priority, seq);

  CREATE TABLE dead_letter (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    queue TEXT NOT NULL,
    priority INTEGER NOT NULL,
    attempts INTEGER NOT NULL,
    expires_at INTEGER,
    reason TEXT NOT NULL,
    died_at INTEGER NOT NULL,
    body TEXT NOT NULL
  ) STRICT;

  CREATE TABLE fact (
    log_offset INTEGER PRIMARY KEY AUTOINCREMENT,
    stored_at INTEGER NOT NULL,
    end_byte INTEGER NOT NULL,
    body TEXT NOT NULL
  ) STRICT;

  CREATE TABLE log_identity (id TEXT NOT NULL) STRICT;
  INSERT INTO log_identity (id) VALUES (lower(hex(randomblob(8))));

  CREATE TABLE delivery (seq INTEGER PRIMARY KEY, begun INTEGER NOT NULL) STRICT;
  `,
] as const;
