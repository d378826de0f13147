import { setImmediate } from 'node:timers/promises';
import { BOARD_PASS_SECONDS, formatInstant } from '@lobbystats/contracts';
import { passIndexOf } from '../instants.ts';
import { ControlApiError } from './control-api-error.ts';
import { readSpan } from './history.ts';
import type { BoardKey } from '../world/board-passes.ts';
import type { World } from '../world/world.ts';

const CURSOR = /^(\d{1,9})(?:\.([0-9a-f]{8})\.(\d{1,10}))?$/;

interface BoardCursor {
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
  return { firstPass, endPass: Math.ceil(toExclusive / BOARD_PASS_SECONDS), start };
}

/** Inverse of reading `cursor`. */
function formatCursor({ pass, after }: BoardCursor): string {
  const text = after === undefined ? String(pass) : `${pass}.${after.titleId}.${after.id}`;
  return Buffer.from(text).toString('base64url');
}

function parseCursor(cursor: unknown): BoardCursor | undefined {
  if (typeof cursor !== 'string') return undefined;
  const [, pass, titleId, id] = CURSOR.exec(Buffer.from(cursor, 'base64url').toString('latin1')) ?? [];
  if (pass === undefined) return undefined;
  return { pass: Number(pass), after: titleId === undefined ? undefined : { titleId, id: Number(id) } };
}

/** The largest board has about half as many. */
const MAX_CHARACTERS = 1_900_000;
const MAX_PASSES = 24 * 31;

export const TYPICAL_BOARD_PIECES = 40;

/**
 * Lists every board in the first pass and changed ones in later passes; `board` is null when it was removed. Yields
 * between boards.
 */
export async function* boardHistoryFeed(world: World, query: BoardHistoryQuery, now: number): AsyncGenerator<string> {
  const endPass = Math.min(query.endPass, passIndexOf(now) + 1);
  const lastPass = Math.min(endPass, query.start.pass + MAX_PASSES);
  let characters = 0;
  let cursor: BoardCursor = query.start;
  yield '{"boards":[';
  for (; cursor.pass < lastPass; cursor = { pass: cursor.pass + 1, after: undefined }) {
    const slot = cursor.pass * BOARD_PASS_SECONDS;
    const keys = cursor.pass === query.firstPass ? world.boardKeysAt(slot) : world.boardChanges(slot);
    for (const key of keys) {
      if (!isAfter(key, cursor.after)) continue;
      const piece = `${characters === 0 ? '' : ',\n'}${JSON.stringify(element(world, slot, key))}`;
      if (characters > 0 && characters + piece.length > MAX_CHARACTERS) {
        yield tail(cursor);
        return;
      }
      characters += piece.length;
      cursor = { pass: cursor.pass, after: key };
      yield piece;
      await setImmediate();
    }
    await setImmediate();
  }
  yield tail(cursor.pass < endPass ? cursor : undefined);
}

function element(world: World, slot: number, { titleId, id }: BoardKey): object {
  const board = world.board(slot, titleId, id);
  return {
    pass: formatInstant(slot),
    titleId,
    leaderboardId: id,
    name: board?.name ?? '',
    board: board === undefined ? null : { isTime: board.isTime, entries: board.entries },
  };
}

function isAfter({ titleId, id }: BoardKey, after: BoardKey | undefined): boolean {
  if (after === undefined || titleId > after.titleId) return true;
  return titleId === after.titleId && id > after.id;
}

function tail(next: BoardCursor | undefined): string {
  return `],"next":${next === undefined ? 'null' : `"${formatCursor(next)}"`}}\n`;
}
