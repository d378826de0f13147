import { PASS_SECONDS, passIndexOf } from '../instants.ts';
import { ControlApiError } from './control-api-error.ts';
import { readSpan } from './history-query.ts';

const CURSOR = /^(\d{1,9})(?:\.([0-9a-f]{8})\.(\d{1,10}))?$/;

export interface BoardCursor {
  pass: number;
  after: { titleId: string; id: number } | undefined;
}

export interface BoardHistoryQuery {
  firstPass: number;
  endPass: number;
  start: BoardCursor;
}

export function readBoardHistoryQuery(query: Readonly<Record<string, unknown>>): BoardHistoryQuery {
  const { fromInclusive, toExclusive } = readSpan(query);
  const firstPass = passIndexOf(fromInclusive);
  const start = query['cursor'] === undefined ? { pass: firstPass, after: undefined } : parseCursor(query['cursor']);
  if (start === undefined || start.pass < firstPass) {
    throw new ControlApiError(400, 'cursor must be the next of an answer to the same from and to');
  }
  return { firstPass, endPass: Math.ceil(toExclusive / PASS_SECONDS), start };
}

/** Inverse of reading `cursor`. */
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
