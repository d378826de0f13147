import { DAY_SECONDS, SLOT_SECONDS } from '../instants.ts';
import { ControlApiError } from './control-api-error.ts';
import { readSpan } from './history-query.ts';

const CURSOR = /^(\d{1,7})(?:\.(\d{1,8}))?$/;

/** A position in the players feed: after a player of a day, or at the start of a day. */
export interface PlayerCursor {
  day: number;
  after: number | undefined;
}

export interface PlayerHistoryQuery {
  firstSlot: number;
  toExclusive: number;
  start: PlayerCursor;
}

export function readPlayerHistoryQuery(query: Readonly<Record<string, unknown>>): PlayerHistoryQuery {
  const { fromInclusive, toExclusive } = readSpan(query);
  const firstSlot = Math.ceil(fromInclusive / SLOT_SECONDS) * SLOT_SECONDS;
  const firstDay = Math.floor(firstSlot / DAY_SECONDS);
  const start = query['cursor'] === undefined ? { day: firstDay, after: undefined } : parseCursor(query['cursor']);
  if (start === undefined || start.day < firstDay) {
    throw new ControlApiError(400, 'cursor must be the next of an answer to the same from and to');
  }
  return { firstSlot, toExclusive, start };
}

/** Inverse of reading `cursor`. */
export function formatPlayerCursor({ day, after }: PlayerCursor): string {
  return Buffer.from(after === undefined ? String(day) : `${day}.${after}`).toString('base64url');
}

function parseCursor(cursor: unknown): PlayerCursor | undefined {
  if (typeof cursor !== 'string') return undefined;
  const [, day, after] = CURSOR.exec(Buffer.from(cursor, 'base64url').toString('latin1')) ?? [];
  return day === undefined ? undefined : { day: Number(day), after: after === undefined ? undefined : Number(after) };
}
