import {
  BOARD_ENTRIES_MAX,
  boardPass,
  DAY_SECONDS,
  formatInstant,
  networkId,
  observedEntry,
  parseInstant,
  titleId,
  type EpochSeconds,
} from '@lobbystats/contracts';
import { AppError } from '@lobbystats/errors';
import { z } from 'zod';
import type { BoardHistory, PastBoard } from '../../domain/board-history.ts';
import type { Time } from '../../domain/time.ts';
import { jsonOf, notUnderstood, understood } from './feed-answer.ts';
import type { PoliteClient } from './polite-client.ts';

/** Limits of one answer; the feed says where the next begins. */
const ANSWER = { timeoutMs: 60_000, maxBytes: 32 * 1024 * 1024 };

const feedEntry = z.object(observedEntry.shape);
const feedBoard = z.object({
  pass: boardPass,
  titleId,
  leaderboardId: networkId,
  name: z.string().max(1000),
  board: z.object({ isTime: z.boolean(), entries: z.array(feedEntry).max(BOARD_ENTRIES_MAX) }).nullable(),
});
const feedAnswer = z.object({ boards: z.array(feedBoard), next: z.string().min(1).max(2000).nullable() });

export interface BoardHistoryFeedParts {
  client: PoliteClient;
  time: Time;
  /** The feed's address, to which `from`, `to` and `cursor` are added. */
  url: string;
}

/** The boards' past as the simulated network tells it. Texts are as a page's reader would have read them. */
export function createBoardHistoryFeed({ client, time, url }: BoardHistoryFeedParts): BoardHistory {
  return {
    async part(from, to, cursor) {
      const query = new URLSearchParams({ from: formatInstant(from), to: formatInstant(to) });
      if (cursor !== null) query.set('cursor', cursor);
      await client.turn(time.now() + DAY_SECONDS * 1000, 'first');
      const { status, body } = await client.get(`${url}?${query.toString()}`, { Accept: 'application/json' }, ANSWER);
      if (status === 404 && cursor === null) return undefined;
      if (status !== 200) throw new AppError('unavailable', `The history feed of boards answers ${status}`);
      const { boards, next } = understood(feedAnswer, jsonOf(body));
      if (next !== null && next === cursor) throw notUnderstood('it goes round in circles');
      const past = boards.map(pastBoardOf);
      expectInOrder(past, from, to);
      return { boards: past, next };
    },
  };
}

function pastBoardOf({ pass, name, board, ...key }: z.output<typeof feedBoard>): PastBoard {
  const entries = board?.entries.map((entry) => ({
    ...entry,
    name: oneLine(entry.name),
    rating: oneLine(entry.rating),
  }));
  return {
    ...key,
    pass: parseInstant(pass),
    name: board === null ? '' : oneLine(name).slice(0, 200).toWellFormed(),
    board: board && { isTime: board.isTime, entries: entries ?? [] },
  };
}

/** White space as a page's reader has it. */
function oneLine(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}

function expectInOrder(boards: readonly PastBoard[], from: EpochSeconds, to: EpochSeconds): void {
  let previous = from;
  for (const { pass } of boards) {
    if (pass < previous || pass >= to) {
      throw notUnderstood(`it tells of ${formatInstant(pass)}, which nobody asked for, or not in order`);
    }
    previous = pass;
  }
}
