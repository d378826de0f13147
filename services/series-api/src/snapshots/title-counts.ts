import { titleCounts } from '@lobbystats/contracts';

/** All counts of a title in a slot: its fields in InfluxDB, and its columns in SQLite. */
export const titleFields = Object.keys(titleCounts) as (keyof typeof titleCounts)[];

export const titleColumns = titleFields.map(columnOf);

/** Columns in the definition of the table. */
export const TITLE_COLUMN_TYPES = titleFields
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
