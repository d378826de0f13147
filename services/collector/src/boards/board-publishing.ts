import type { EpochSeconds } from '@lobbystats/contracts';
import { hasCode } from '@lobbystats/contracts/errors';
import type { ObservationPublisher } from '../network/observation-publisher.ts';
import type { PageValidators } from '../network/page-cache.ts';
import { PageFailure } from '../network/page-failures.ts';
import type { Telemetry } from '../telemetry/telemetry.ts';
import type { Time } from '../time/time.ts';
import { boardDigest, type BoardContent, type BoardJob } from '../network/board.ts';
import type { BoardCrawlState, PublishedBoard } from './board-crawl-state.ts';

export interface BoardPublishingParts {
  boards: BoardCrawlState;
  publisher: ObservationPublisher;
  telemetry: Telemetry;
  time: Time;
}

/**
 * Publishes a changed board, or null for one that is gone, unless a later pass is published. Rejects with a PageFailure
 * `unpublishable`.
 */
export function createBoardPublishing({ boards, publisher, telemetry, time }: BoardPublishingParts) {
  return async (
    job: BoardJob,
    board: BoardContent | null,
    { validators, seenAt, past }: { validators: readonly PageValidators[]; seenAt: EpochSeconds; past: boolean },
  ): Promise<void> => {
    const published: PublishedBoard = { pass: job.pass, digest: board === null ? null : boardDigest(job.name, board) };
    const claim = await boards.beginPublishing(job, published, time.now());
    if (claim === false) return;
    const name = board === null ? '' : job.name;
    try {
      await publisher.publishBoard({ ...job, name, seenAt, board }, { past });
    } catch (error) {
      if (!hasCode(error, 'invalid')) throw error;
      throw new PageFailure('unpublishable', `The board is invalid for a message: ${error.message}`, { cause: error });
    }
    // Consumers keep the first of two messages of one pass, and its content is unknown here: the next pass publishes
    // the board again.
    const isCertain = claim.before === undefined || claim.before === published.digest;
    await boards.markPublished(job, isCertain ? published : { ...published, digest: '' }, isCertain ? validators : []);
    telemetry.boardRead(board === null ? 'gone' : 'changed');
  };
}
