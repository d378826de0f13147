import { boardRequested, pageRequested, parseInstant } from '@lobbystats/contracts';
import { handle, PostponedError, type MessageBus, type Subscription } from '@lobbystats/service-kit/bus';
import type { Backoff } from '@lobbystats/service-kit/concurrency';
import type { BoardJobHandler } from '../boards/board-job-handler.ts';
import { PageFailure } from '../network/page-failures.ts';
import type { CollectPage } from '../slots/collect-page.ts';

export interface JobConsumerParts {
  bus: MessageBus;
  readPage: CollectPage;
  readBoard: BoardJobHandler;
  prefetch: number;
  backoffMs: Backoff;
}

/** Retries until the job expires with its slot or pass; failures never lead to the dead-letter queue. */
export function consumeJobs(parts: JobConsumerParts): Promise<Subscription> {
  const { bus, readPage, readBoard, prefetch, backoffMs } = parts;
  const handlers = [
    handle(pageRequested, async ({ data: { slot, ...job } }) => {
      await readPage({ slot: parseInstant(slot), ...job }).catch(postponeBusy);
    }),
    handle(boardRequested, async ({ data: { pass, ...job } }) => {
      await readBoard({ pass: parseInstant(pass), ...job }).catch(postponeBusy);
    }),
  ];
  return bus.consume({ queue: 'collector', handlers, prefetch, backoffMs, attempts: Infinity });
}

/** A page that another reader has, or a board beyond those that are read at once, is no failure. */
function postponeBusy(error: unknown): never {
  if (error instanceof PageFailure && error.kind === 'busy') throw new PostponedError(error.message, { cause: error });
  throw error;
}
