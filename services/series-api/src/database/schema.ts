import { titleCounts } from '@lobbystats/contracts';

/** All counts of a title in a slot: its fields in InfluxDB, and its columns in SQLite. */
export const titleFields = Object.keys(titleCounts) as (keyof typeof titleCounts)[];

export const titleColumns = titleFields.map(columnOf);

/** Columns in the definition of the table. */
const TITLE_COLUMN_TYPES = titleFields
  .map((name) => `${columnOf(name)} INTEGER${isNullable(name) ? '' : ' NOT NULL DEFAULT 0'}`)
  .join(',\n    ');

/** Selects {@link TitleCounts}. */
export const TITLE_SELECTION = titleFields.map((name) => `${columnOf(name)} AS ${name}`).join(', ');

/** Counts of the open matches are null if the title's page could not be read. */
export function isNullable(name: keyof typeof titleCounts): boolean {
  return titleCounts[name].safeParse(null).success;
}

function columnOf(field: string): string {
  return field.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

/** Times are epoch seconds of a slot or day; a title's `id` is its numeric title ID. Keys follow the reads. */
export const migrations: readonly string[] = [
  `
  CREATE TABLE site_snapshot (
    slot INTEGER PRIMARY KEY,
    online INTEGER NOT NULL,
    registered INTEGER,
    lobbies INTEGER,
    missing INTEGER NOT NULL
  ) STRICT;

  CREATE TABLE title (
    id INTEGER PRIMARY KEY,
    name TEXT NOT NULL DEFAULT '',
    revision INTEGER NOT NULL DEFAULT 0
  ) STRICT;

  CREATE TABLE title_snapshot (
    title_id INTEGER NOT NULL,
    slot INTEGER NOT NULL,
    ${TITLE_COLUMN_TYPES},
    PRIMARY KEY (title_id, slot)
  ) STRICT, WITHOUT ROWID;

  CREATE TABLE host (
    id INTEGER PRIMARY KEY,
    name TEXT NOT NULL UNIQUE,
    seen_at INTEGER NOT NULL,
    -- The nameKey.
    player_key TEXT NOT NULL
  ) STRICT;
  CREATE INDEX host_by_player ON host (player_key);

  CREATE TABLE match_snapshot (
    slot INTEGER NOT NULL,
    title_id INTEGER NOT NULL,
    host_id INTEGER NOT NULL,
    players INTEGER NOT NULL,
    max_players INTEGER NOT NULL,
    PRIMARY KEY (slot, title_id, host_id)
  ) STRICT, WITHOUT ROWID;

  CREATE TABLE match_run (
    title_id INTEGER NOT NULL,
    ended_at INTEGER NOT NULL,
    host_id INTEGER NOT NULL,
    started_at INTEGER NOT NULL,
    players INTEGER NOT NULL,
    max_players INTEGER NOT NULL,
    peak_players INTEGER NOT NULL,
    PRIMARY KEY (title_id, ended_at, host_id)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX match_run_by_time ON match_run (ended_at, started_at);
  CREATE INDEX match_run_by_host ON match_run (host_id, ended_at, started_at);

  CREATE TABLE site_daily (
    day INTEGER PRIMARY KEY,
    registered INTEGER NOT NULL,
    seen_at INTEGER NOT NULL
  ) STRICT;

  CREATE TABLE title_daily (
    title_id INTEGER NOT NULL,
    day INTEGER NOT NULL,
    lobby_count INTEGER NOT NULL,
    unique_hosts INTEGER NOT NULL,
    peak_players INTEGER NOT NULL,
    peak_online INTEGER NOT NULL,
    online_sum INTEGER NOT NULL,
    samples INTEGER NOT NULL,
    newest_slot INTEGER NOT NULL,
    PRIMARY KEY (title_id, day)
  ) STRICT, WITHOUT ROWID;

  CREATE TABLE site_rollup (
    day INTEGER PRIMARY KEY,
    online_sum INTEGER NOT NULL,
    samples INTEGER NOT NULL,
    peak_online INTEGER NOT NULL,
    peak_online_at INTEGER NOT NULL,
    lobby_sum INTEGER NOT NULL,
    lobby_samples INTEGER NOT NULL,
    peak_lobbies INTEGER,
    peak_lobbies_at INTEGER,
    matches INTEGER NOT NULL,
    newest_slot INTEGER NOT NULL
  ) STRICT;

  CREATE TABLE title_record (
    title_id INTEGER NOT NULL,
    measure TEXT NOT NULL,
    count INTEGER NOT NULL,
    at INTEGER NOT NULL,
    PRIMARY KEY (title_id, measure)
  ) STRICT, WITHOUT ROWID;
  `,
  // until: a copy of the slot from before is not stored again.
  'CREATE TABLE withdrawn_slot (slot INTEGER PRIMARY KEY, until INTEGER NOT NULL) STRICT;',
];
