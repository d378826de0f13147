import { formatInstant, type EpochSeconds } from '@lobbystats/contracts';
import type { BoardHistory, PastBoard } from './board-history.ts';
import { PageNotUnderstoodError } from '../network/page-failures.ts';
import { createPartFetcher, type HistorySource } from './part-fetcher.http.ts';

export function createBoardHistoryFeed(feed: HistorySource): BoardHistory {
  const askPart = createPartFetcher(feed, 'pastBoards');
  return {
    async part(from, to, cursor) {
      const part = await askPart(from, to, cursor);
      if (part !== undefined) expectInOrder(part.boards, from, to);
      return part;
    },
  };
}

function expectInOrder(boards: readonly PastBoard[], from: EpochSeconds, to: EpochSeconds): void {
  let previous = from;
  for (const { pass } of boards) {
    if (pass < previous || pass >= to) {
      throw new PageNotUnderstoodError(
        `it has ${formatInstant(pass)}, which is outside of the requested range or not in order`,
      );
    }
    previous = pass;
  }
}
