import type { Cell } from './tables.ts';

/** A word to people in place of rows. */
export const NOBODY = /^(?:there (?:are|is) )?(?:currently )?(?:no|nobody|none|no one)\b/i;

/** A single cell across the table that says "nobody". A single cell that spans nothing is a row with cells missing. */
export function isNotice(row: Cell[]): boolean {
  const [cell] = row;
  return row.length === 1 && cell !== undefined && cell.span > 1 && NOBODY.test(cell.text);
}
