import { isIdle, mentionsSessions, readCount } from './text-values.ts';
import { columnOf, type Cell, type Table } from './tables.html.ts';

/** A title ID, alone or beside its product code (`MS-074 4d530064`). */
const TITLE_ID = /^(?:([a-z0-9]{2,4}-\d{1,5})\W*)?(?:0x)?([0-9a-f]{8})(?:\W*([a-z0-9]{2,4}-\d{1,5}))?\W*$/i;

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

export function hasTitleId(row: Cell[]): boolean {
  return idIndexOf(row) !== undefined;
}

/** Finds cells by the table's header; without one, by their shape. */
export function createRowFinder(table: Table): (row: Cell[]) => GameCells {
  const columns = columnsOf(table);
  return (row) => {
    const id = idIndexOf(row);
    const anchor = id ?? columns?.id ?? row.length;
    const numbers = byColumn(row, anchor, columns) ?? byShape(row.slice(anchor + 1));
    const shift = columns === undefined ? 0 : anchor - columns.id;
    return {
      ...(id === undefined ? { titleId: undefined, productCode: undefined } : idsOf(row[id])),
      title: columns === undefined ? row.slice(0, anchor).find(hasText) : row[columns.title + shift],
      publisher: columns?.publisher === undefined ? undefined : row[columns.publisher + shift],
      ...numbers,
    };
  };
}

type Numbers = Pick<GameCells, 'online' | 'activity'>;

interface Columns {
  count: number;
  id: number;
  title: number;
  online: number;
  activity: number | undefined;
  publisher: number | undefined;
}

function columnsOf(table: Table): Columns | undefined {
  const id = columnOf(table, /\b(?:serial|code|id)\b/);
  const online = columnOf(table, /\bonline\b|\busers\b/) ?? columnOf(table, /\bplayers\b/);
  const title = columnOf(table, /^(?!.*\bid\b).*\b(?:titles?|games?|name)\b/);
  if (id === undefined || online === undefined || title === undefined) return undefined;
  const activity = columnOf(table, /activ|session/);
  const publisher = columnOf(table, /publisher/);
  return { count: table.header.length, id, online, title, activity, publisher };
}

/** Undefined for a row with missing cells: another cell would be read in their place. */
function byColumn(row: Cell[], anchor: number, columns: Columns | undefined): Numbers | undefined {
  if (columns === undefined) return undefined;
  const { count, id, online, activity } = columns;
  const isWhole = row.length === count && anchor === id;
  const isWholeRight = row.length - anchor === count - id && online > id && (activity ?? count) > id;
  if (!isWhole && !isWholeRight) return undefined;
  const shift = anchor - id;
  return { online: row[online + shift], activity: activity === undefined ? undefined : row[activity + shift] };
}

/**
 * Finds the number cells without a header. A lone `0` may be either of the two: taking it for the users online would
 * make a zero out of a missing cell.
 */
function byShape([first, ...others]: Cell[]): Numbers {
  if (first === undefined) return { online: undefined, activity: undefined };
  const second = others.find(({ text }) => looksLikeActivity(text));
  const isOnline = readCount(first.text) !== undefined && (second !== undefined || !looksLikeActivity(first.text));
  if (isOnline) return { online: first, activity: second };
  return { online: undefined, activity: looksLikeActivity(first.text) ? first : second };
}

/** A title's name may look like an ID, so prefers a cell with a product code, then the last match. */
function idIndexOf(row: Cell[]): number | undefined {
  const fitting = row.flatMap(({ text }, index) => {
    const match = TITLE_ID.exec(text);
    return match === null ? [] : [{ index, hasCode: (match[1] ?? match[3]) !== undefined }];
  });
  return (fitting.findLast(({ hasCode }) => hasCode) ?? fitting.at(-1))?.index;
}

function idsOf(cell: Cell | undefined): Pick<GameCells, 'titleId' | 'productCode'> {
  const [, before, titleId, after] = TITLE_ID.exec(cell?.text ?? '') ?? [];
  return { titleId: titleId?.toLowerCase(), productCode: (before ?? after)?.toUpperCase() };
}

function hasText({ text }: Cell): boolean {
  return text !== '';
}

function looksLikeActivity(text: string): boolean {
  return isIdle(text) || mentionsSessions(text);
}
