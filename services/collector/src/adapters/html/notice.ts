import type { Cell } from './tables.ts';

/** A text in place of rows, such as "Nobody is playing". */
export const NOBODY = /^(?:there (?:are|is) )?(?:currently )?(?:no|nobody|none|no one)\b/i;

export function isNotice(row: Cell[]): boolean {
  const [cell] = row;
  return row.length === 1 && cell !== undefined && cell.span > 1 && NOBODY.test(cell.text);
}
