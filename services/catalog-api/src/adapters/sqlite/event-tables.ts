/** Tables of events, as one step of the schema. */
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
