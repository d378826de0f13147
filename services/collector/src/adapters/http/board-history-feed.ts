import {
  BOARD_ENTRIES_MAX,
  boardPass,
  formatInstant,
  networkId,
  observedEntry,
  parseInstant,
  titleId,
  type EpochSeconds,
} from '@lobbystats/contracts';
import { z } from 'zod';
import type { BoardHistory, PastBoard } from '../../domain/board-history.ts';
import { notUnderstood } from './feed-answer.ts';
import { historyParts, type HistoryFeed } from './history-part.ts';

const feedEntry = z.object(observedEntry.shape);
const feedBoard = z.object({
  pass: boardPass,
  titleId,
  leaderboardId: networkId,
  name: z.string().max(1000),
  board: z.object({ isTime: z.boolean(), entries: z.array(feedEntry).max(BOARD_ENTRIES_MAX) }).nullable(),
});
const feedAnswer = z.object({ boards: z.array(feedBoard), next: z.string().min(1).max(2000).nullable() });

/** The boards' past as the simulated network tells it. Texts are as a page's reader would have read them. */
export function createBoardHistoryFeed(feed: HistoryFeed): BoardHistory {
  const askPart = historyParts({ ...feed, of: 'boards', answer: feedAnswer });
  return {
    async part(from, to, cursor) {
      const part = await askPart(from, to, cursor);
      if (part === undefined) return undefined;
      const boards = part.boards.map(pastBoardOf);
      expectInOrder(boards, from, to);
      return { boards, next: part.next };
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
