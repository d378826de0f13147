/** The schema of the titles, step by step. A step that has been released is never changed. */
export const titleMigrations: readonly string[] = [
  `
  CREATE TABLE catalog (only INTEGER PRIMARY KEY CHECK (only = 1), revision INTEGER NOT NULL) STRICT;
  INSERT INTO catalog (only, revision) VALUES (1, 0);

  -- A part is there when its seen_at is.
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
];
