import { setImmediate } from 'node:timers/promises';
import { DAY_SECONDS, formatInstant, SLOT_SECONDS } from '@lobbystats/contracts';
import { ControlApiError } from './control-api-error.ts';
import { readSpan } from './history.ts';
import type { PlayerDay } from '../world/play-day.ts';
import type { World } from '../world/world.ts';

const CURSOR = /^(\d{1,7})(?:\.(\d{1,8}))?$/;

/** A position in the players feed: after a player of a day, or at the start of a day. */
interface PlayerCursor {
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
function formatPlayerCursor({ day, after }: PlayerCursor): string {
  return Buffer.from(after === undefined ? String(day) : `${day}.${after}`).toString('base64url');
}

function parseCursor(cursor: unknown): PlayerCursor | undefined {
  if (typeof cursor !== 'string') return undefined;
  const [, day, after] = CURSOR.exec(Buffer.from(cursor, 'base64url').toString('latin1')) ?? [];
  return day === undefined ? undefined : { day: Number(day), after: after === undefined ? undefined : Number(after) };
}

/** Limits of one response. */
const MAX_BYTES = 1_990_000;
const MAX_DAYS = 31;

const PIECE_BYTES = 64 * 1024;
export const TYPICAL_PLAYER_PIECES = 30;

/** By UTC day and player, each with online spans (first and last slot). Yields between pieces. */
export async function* playerHistoryFeed(world: World, query: PlayerHistoryQuery, now: number): AsyncGenerator<string> {
  const end = Math.min(query.toExclusive, Math.floor(now) + 1);
  const endDay = Math.min(Math.ceil(end / DAY_SECONDS), query.start.day + MAX_DAYS);
  let bytes = 0;
  let piece = '{"players":[';
  let cursor: PlayerCursor = query.start;
  for (; cursor.day < endDay; cursor = { day: cursor.day + 1, after: undefined }) {
    for (const playerDay of world.playersOfDay(cursor.day * DAY_SECONDS, cursor.after)) {
      const encoded = element(world, playerDay, query.firstSlot, end);
      if (encoded === undefined) continue;
      const line = `${bytes === 0 ? '' : ',\n'}${encoded}`;
      const lineBytes = Buffer.byteLength(line);
      if (bytes > 0 && bytes + lineBytes > MAX_BYTES) {
        yield piece + tail(cursor);
        return;
      }
      bytes += lineBytes;
      piece += line;
      cursor = { day: cursor.day, after: playerDay.player };
      if (piece.length < PIECE_BYTES) continue;
      yield piece;
      piece = '';
      await setImmediate();
    }
    await setImmediate();
  }
  yield piece + tail(cursor.day * DAY_SECONDS < end ? cursor : undefined);
}

function element(world: World, { player, spans }: PlayerDay, firstSlot: number, end: number): string | undefined {
  const lastSlot = Math.ceil(end / SLOT_SECONDS) * SLOT_SECONDS - SLOT_SECONDS;
  const visibleSpans = spans.flatMap(({ title, from, to }) => {
    const first = Math.max(from, firstSlot);
    const last = Math.min(to, lastSlot);
    if (first > last) return [];
    const game = { titleId: title?.titleId ?? null, game: title?.name ?? null };
    return [{ ...game, from: formatInstant(first), to: formatInstant(last) }];
  });
  return visibleSpans.length === 0 ? undefined : JSON.stringify({ ...world.userOf(player), spans: visibleSpans });
}

function tail(next: PlayerCursor | undefined): string {
  return `],"next":${next === undefined ? 'null' : `"${formatPlayerCursor(next)}"`}}\n`;
}
