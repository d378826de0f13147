import { PASS_SECONDS, passIndexOf } from '../instants.ts';
import { DoorError } from './door-error.ts';
import { readSpan } from './history-query.ts';

const CURSOR = /^(\d{1,9})(?:\.([0-9a-f]{8})\.(\d{1,10}))?$/;

/** A place in the feed of boards: after a board of a pass, or at the beginning of one. */
export interface BoardCursor {
  /** In hours since the Unix epoch. */
  pass: number;
  after: { titleId: string; id: number } | undefined;
}

/** Which part of the boards' past is asked for, in hours since the Unix epoch. */
export interface BoardHistoryQuery {
  firstPass: number;
  endPass: number;
  start: BoardCursor;
}

/** Reads `from`, `to` and `cursor` of a query. Throws a `DoorError` with 400 for anything else. */
export function readBoardHistoryQuery(query: Readonly<Record<string, unknown>>): BoardHistoryQuery {
  const { fromInclusive, toExclusive } = readSpan(query);
  const firstPass = passIndexOf(fromInclusive);
  const start = query['cursor'] === undefined ? { pass: firstPass, after: undefined } : parseCursor(query['cursor']);
  if (start === undefined || start.pass < firstPass) {
    throw new DoorError(400, 'cursor must be the next of an answer to the same from and to');
  }
  return { firstPass, endPass: Math.ceil(toExclusive / PASS_SECONDS), start };
}

/** A cursor as an answer's `next`. */
export function formatCursor({ pass, after }: BoardCursor): string {
  const text = after === undefined ? String(pass) : `${pass}.${after.titleId}.${after.id}`;
  return Buffer.from(text).toString('base64url');
}

function parseCursor(cursor: unknown): BoardCursor | undefined {
  if (typeof cursor !== 'string') return undefined;
  const [, pass, titleId, id] = CURSOR.exec(Buffer.from(cursor, 'base64url').toString('latin1')) ?? [];
  if (pass === undefined) return undefined;
  return { pass: Number(pass), after: titleId === undefined ? undefined : { titleId, id: Number(id) } };
}
