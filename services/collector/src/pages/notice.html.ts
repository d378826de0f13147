import type { Cell } from './tables.html.ts';

/** A notice instead of rows, such as "Nobody is playing". */
export const EMPTY_NOTICE = /^(?:there (?:are|is) )?(?:currently )?(?:no|nobody|none|no one)\b/i;

export function isNotice(row: Cell[]): boolean {
  const [cell] = row;
  return row.length === 1 && cell !== undefined && cell.span > 1 && EMPTY_NOTICE.test(cell.text);
}
