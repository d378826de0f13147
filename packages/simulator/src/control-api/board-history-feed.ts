import { setImmediate } from 'node:timers/promises';

import { formatInstant, PASS_SECONDS, passIndexOf } from '../instants.ts';
import type { BoardKey } from '../world/board-passes.ts';
import type { World } from '../world/world.ts';
import { formatCursor } from './board-history-query.ts';
import type { BoardCursor, BoardHistoryQuery } from './board-history-query.ts';

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
    const slot = cursor.pass * PASS_SECONDS;
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
