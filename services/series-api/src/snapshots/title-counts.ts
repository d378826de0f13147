import { titleCounts } from '@lobbystats/contracts';

/** Counts that are observed. */
export const observedCounts = Object.keys(titleCounts) as (keyof typeof titleCounts)[];
/** Counts of the open matches; null if the title's page could not be read. */
export const openCounts = ['lobbies', 'lobbyPlayers'] as const;

/** All counts of a title in a slot: its fields in InfluxDB, and its columns in SQLite. */
export const titleFields = [...observedCounts, ...openCounts] as const;

export type TitleCounts = Record<(typeof observedCounts)[number], number> &
  Record<(typeof openCounts)[number], number | null>;

export const titleColumns = titleFields.map(columnOf);

/** Columns in the definition of the table. */
export const TITLE_COLUMN_TYPES = [
  ...observedCounts.map((name) => `${columnOf(name)} INTEGER NOT NULL DEFAULT 0`),
  ...openCounts.map((name) => `${columnOf(name)} INTEGER`),
].join(',\n    ');

/** Selects {@link TitleCounts}. */
export const TITLE_SELECTION = titleFields.map((name) => `${columnOf(name)} AS ${name}`).join(', ');

function columnOf(field: string): string {
  return field.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}
