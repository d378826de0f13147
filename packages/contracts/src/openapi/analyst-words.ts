import { titleCounts } from '../index.ts';

/** `docs/analysts.md` with the counts of a title: below the tag of the measurement `title`, up to the next one. */
export function withTitleCounts(document: string): string {
  const rows = Object.entries(titleCounts).map(([name, schema]) => {
    const words = schema.description ?? '';
    return `| | \`${name}\` | ${words.charAt(0).toLowerCase()}${words.slice(1)} |\n`;
  });
  return document.replace(/(\n\| `title` .*\n.*`titleId`.*\n)[^]*?(?=\| `match` )/, `$1${rows.join('')}`);
}
