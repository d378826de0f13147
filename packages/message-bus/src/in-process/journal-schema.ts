/** What the journal's file calls itself. */
export const JOURNAL_NAME = 'bus';

/**
 * `queued`: one row for each message and queue; `seq` is never given twice, so that whoever has read up to one sees all
 * that is new. `priority` 0 is live, 1 is past; `attempts` have failed; before `available_at` (epoch milliseconds) the next
 * one must not begin.
 *
 * `fact`: the log. `end_byte` is where a fact's body would end if all bodies ever logged stood in one file: the size of
 * any stretch of the log is a subtraction.
 *
 * `hand_over`: how often the hand-over of a queued message was begun and not settled. See `Caution` for which of them.
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
  `,
  `CREATE TABLE hand_over (seq INTEGER PRIMARY KEY, begun INTEGER NOT NULL) STRICT`,
] as const;
