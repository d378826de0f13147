import type { Semaphore } from '@lobbystats/service-kit/concurrency';
import { boardIdOf, boardDigest, isOfCurrentParser, type BoardContent, type BoardJob } from '../network/board.ts';
import type { BoardState, BoardCrawlState } from './board-crawl-state.ts';
import type { PageValidators } from '../network/page-cache.ts';
import { createBoardPublishing } from './board-publishing.ts';
import { passEndMs, passOf } from './board-schedule.ts';
import { createValidatorCache } from './validator-cache.ts';
import type { BoardSource } from '../network/network.ts';
import { readBoard, type BoardReading } from './read-board.ts';
import type { ObservationPublisher } from '../network/observation-publisher.ts';
import { PageFailure, type PageFailureKind } from '../network/page-failures.ts';
import type { Telemetry } from '../telemetry/telemetry.ts';
import type { RetryParts } from '../time/time.ts';

const MAX_ATTEMPTS = 3;
/** Retried at once. */
const RETRYABLE_KINDS: ReadonlySet<PageFailureKind> = new Set(['inconsistent', 'unparseable', 'unavailable']);
/** Not retried in this pass. */
const PERMANENT_KINDS: ReadonlySet<PageFailureKind> = new Set(['oversized', 'unpublishable', 'absent']);

export interface BoardJobHandlerParts extends RetryParts {
  boards: BoardCrawlState;
  site: BoardSource;
  publisher: ObservationPublisher;
  telemetry: Telemetry;
  semaphore: Semaphore;
}

/**
 * Reads a board and publishes it if it changed, else confirms it. Memory is updated after publishing: a crash between
 * them publishes again under the same message ID. A failed board is enqueued again later in the pass. Rejects when the
 * job shall be redelivered.
 */
export type BoardJobHandler = (job: BoardJob) => Promise<void>;

export function createBoardJobHandler(parts: BoardJobHandlerParts): BoardJobHandler {
  const { boards, site, publisher, telemetry, time, semaphore, backoff, stopping } = parts;
  const running = new Set<string>();
  const fresh = createValidatorCache();
  const publish = createBoardPublishing(parts);
  const publishNow = (job: BoardJob, board: BoardContent | null, validators: readonly PageValidators[]) =>
    publish(job, board, { validators, seenAt: Math.floor(time.now() / 1000), past: false });

  return async (job) => {
    const key = boardIdOf(job);
    if (running.has(key)) throw new PageFailure('busy', 'This board is being read');
    running.add(key);
    try {
      await semaphore.run(() => work(job));
    } finally {
      running.delete(key);
    }
  };

  async function work(queuedJob: BoardJob): Promise<void> {
    if (time.now() >= passEndMs(queuedJob.pass)) return;
    const state = await boards.get(queuedJob);
    if (state === undefined || wasPublishedIn(queuedJob, state)) return;
    const job = { ...queuedJob, name: state.name };
    try {
      await publishReading(job, state, await readWithRetries(job, knownPages(job, state)));
    } catch (error) {
      if (!(error instanceof PageFailure) || error.kind === 'busy' || stopping.aborted) throw error;
      const pendingSince =
        PERMANENT_KINDS.has(error.kind) || error.isFinal ? null : Math.max(job.pass, Math.floor(time.now() / 1000));
      if (time.now() < passEndMs(job.pass) && state.retryPendingSince !== pendingSince)
        await boards.setPendingRetry(job, pendingSince);
      if (error.kind !== 'absent') telemetry.boardFailed(job, error);
    }
  }

  /** Only a 404 of its own page means that a board is gone: a menu may be incomplete. */
  async function publishReading(job: BoardJob, state: BoardState, reading: BoardReading): Promise<void> {
    if (reading.kind === 'gone') {
      if (state.published !== null && state.published.digest !== null) await publishNow(job, null, []);
      else if (state.retryPendingSince !== null) await boards.setPendingRetry(job, null);
      return;
    }
    const known = fresh.get(job, state);
    const validators = reading.kind === 'read' ? reading.validators : known;
    if (reading.kind === 'read' && boardDigest(job.name, reading.content) !== state.published?.digest) {
      await publishNow(job, reading.content, validators);
      return;
    }
    await confirm(job, state);
    telemetry.boardRead('unchanged');
    if (state.retryPendingSince !== null) await boards.markConfirmed(job, validators);
    else if (!isSame(validators, known)) fresh.set(job, state, validators);
  }

  async function confirm({ titleId, leaderboardId }: BoardJob, { published }: BoardState): Promise<void> {
    const confirmation = { titleId, leaderboardId, pass: published?.pass ?? 0, seenAt: Math.floor(time.now() / 1000) };
    await publisher.confirmBoard(confirmation, { past: false });
  }

  function knownPages(job: BoardJob, state: BoardState): readonly PageValidators[] {
    return isOfCurrentParser(state.published?.digest ?? '') ? fresh.get(job, state) : [];
  }

  /** A published pass in the future, from a clock that was ahead, is ignored. */
  function wasPublishedIn({ pass }: BoardJob, { published }: BoardState): boolean {
    return published !== null && published.pass >= pass && published.pass <= passOf(time.now() / 1000);
  }

  async function readWithRetries(job: BoardJob, known: readonly PageValidators[]): Promise<BoardReading> {
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await readBoard(site, job, passEndMs(job.pass), known);
      } catch (error) {
        const mayPass = error instanceof PageFailure && RETRYABLE_KINDS.has(error.kind) && !error.isFinal;
        if (!mayPass || attempt === MAX_ATTEMPTS || stopping.aborted) throw error;
        if (error.kind === 'inconsistent') telemetry.boardRead('inconsistent');
      }
      await time.sleep(backoff(attempt), stopping);
    }
  }
}

function isSame(one: readonly PageValidators[], other: readonly PageValidators[]): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}
