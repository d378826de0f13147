import { columnOf, namesTotal } from './headings.ts';
import { isIdle, mentionsSessions, readCount } from './text-values.ts';
import { withHeadings, type Cell, type Table } from './tables.parse.ts';

/** A title ID, alone or beside its product code (`MS-074 4d530064`), or beside a sign that there is none. */
const TITLE_ID =
  /^(?:(?:([a-z0-9]{2,4}-\d{1,5})|n\/a|none)\W*)?(?:0x)?([0-9a-f]{8})(?:\W*(?:([a-z0-9]{2,4}-\d{1,5})|n\/a|none))?\W*$/i;

/** The cells of a game row, by meaning. A missing cell is undefined. */
export interface GameCells {
  titleId: string | undefined;
  /** Upper case. */
  productCode: string | undefined;
  title: Cell | undefined;
  publisher: Cell | undefined;
  online: Cell | undefined;
  activity: Cell | undefined;
}

export function hasTitleId(row: readonly Cell[]): boolean {
  return idIndexOf(row) !== undefined;
}

/** Whether a row sums up the others: it says so, and has no title ID. */
export function isTotal(row: readonly Cell[]): boolean {
  return namesTotal(row.find(hasText)?.text ?? '') && !hasTitleId(row);
}

/** The rows of a table of games, and how to find a row's cells. */
export interface GamesTable {
  rows: Cell[][];
  cellsOf(row: readonly Cell[]): GameCells;
}

/** Finds cells by the table's headings; without any, by their shape. Undefined for headings that are not understood. */
export function gamesOf(table: Table): GamesTable | undefined {
  const headed = withHeadings(table, columnsOf);
  if (headed === undefined && table.header.length > 0) return undefined;
  return { rows: headed?.rows ?? table.rows, cellsOf: (row) => findCells(row, headed?.columns) };
}

function findCells(row: readonly Cell[], columns: Columns | undefined): GameCells {
  const id = idIndexOf(row);
  const anchor = id ?? columns?.id ?? row.length;
  const ids = id === undefined ? { titleId: undefined, productCode: undefined } : idsOf(row[id]);
  if (columns !== undefined) return { ...ids, ...namesOf(row, anchor, columns), ...byColumn(row, anchor, columns) };
  return { ...ids, title: row.slice(0, anchor).find(hasText), publisher: undefined, ...byShape(row.slice(anchor + 1)) };
}

interface Columns {
  header: readonly string[];
  id: number;
  title: number;
  online: number;
  activity: number | undefined;
  publisher: number | undefined;
}

function columnsOf(header: readonly string[]): Columns | undefined {
  const [id, online, activity, publisher] = (['titleId', 'online', 'activity', 'publisher'] as const).map((meaning) =>
    columnOf(header, meaning),
  );
  const title = columnOf(header, 'title');
  if (typeof id !== 'number' || typeof online !== 'number' || typeof title !== 'number') return undefined;
  const only = (column: typeof id | 'several' | undefined) => (typeof column === 'number' ? column : undefined);
  return { header, id, online, title, activity: only(activity), publisher: only(publisher) };
}

type Numbers = Pick<GameCells, 'online' | 'activity'>;
type Names = Pick<GameCells, 'title' | 'publisher'>;

const NO_NUMBERS: Numbers = { online: undefined, activity: undefined };

/** None for a row with cells missing before others: another cell would be read in their place. */
function byColumn(row: readonly Cell[], anchor: number, { header, id, online, activity }: Columns): Numbers {
  const count = header.length;
  const isWhole = row.length === count && anchor === id;
  const isWholeRight = row.length - anchor === count - id && online > id && (activity ?? count) > id;
  // Cells missing at the end leave the others in their columns.
  const isCutShort = row.length < count && anchor === id && online === id + 1;
  if (isCutShort) return byShape(row.slice(online));
  if (!isWhole && !isWholeRight) return NO_NUMBERS;
  const shift = anchor - id;
  return { online: row[online + shift], activity: activity === undefined ? undefined : row[activity + shift] };
}

/** With cells missing before the ID, the title is known only if no other column there has a heading. */
function namesOf(row: readonly Cell[], anchor: number, { header, id, title, publisher }: Columns): Names {
  if (row.length === header.length && anchor === id) {
    return { title: row[title], publisher: publisher === undefined ? undefined : row[publisher] };
  }
  const isOnly = header.slice(0, id).every((heading, index) => heading === '' || index === title);
  return { title: isOnly && title < id ? row[title + anchor - id] : undefined, publisher: undefined };
}

/**
 * Finds the number cells without a header. A lone `0` may be either of the two: taking it for the users online would
 * make a zero out of a missing cell.
 */
function byShape([first, ...others]: readonly Cell[]): Numbers {
  if (first === undefined) return NO_NUMBERS;
  const second = others.find(({ text }) => looksLikeActivity(text));
  const isOnline =
    readCount(first.numbers ?? '') !== undefined && (second !== undefined || !looksLikeActivity(first.text));
  if (isOnline) return { online: first, activity: second };
  return { online: undefined, activity: looksLikeActivity(first.text) ? first : second };
}

/** A title's name may look like an ID, so prefers a cell with a product code, then the last match. */
function idIndexOf(row: readonly Cell[]): number | undefined {
  const fitting = row.flatMap((cell, index) => {
    const match = matchId(cell);
    return match === null ? [] : [{ index, hasCode: (match[1] ?? match[3]) !== undefined }];
  });
  return (fitting.findLast(({ hasCode }) => hasCode) ?? fitting.at(-1))?.index;
}

/** An ID, or its code, may be in a badge. */
function matchId({ text, fullText }: Cell): RegExpExecArray | null {
  return TITLE_ID.exec(fullText) ?? TITLE_ID.exec(text);
}

function idsOf(cell: Cell | undefined): Pick<GameCells, 'titleId' | 'productCode'> {
  const [, before, titleId, after] = cell === undefined ? [] : (matchId(cell) ?? []);
  return { titleId: titleId?.toLowerCase(), productCode: (before ?? after)?.toUpperCase() };
}

function hasText({ text }: Cell): boolean {
  return text !== '';
}

function looksLikeActivity(text: string): boolean {
  return isIdle(text) || mentionsSessions(text);
}
