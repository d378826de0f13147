export const eventTables = `
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
    event TEXT NOT NULL
  ) STRICT;
`;

/** Archived events are found by id alone. */
export const eventArchive = `
  ALTER TABLE event ADD COLUMN archived INTEGER NOT NULL DEFAULT 0;
  CREATE INDEX listed_event ON event (event_id) WHERE archived = 0;
`;
