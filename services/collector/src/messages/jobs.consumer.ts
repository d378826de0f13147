import { boardRequested, pageRequested, parseInstant } from '@lobbystats/contracts';
import { handle, type MessageBus, type Subscription } from '@lobbystats/message-bus';
import type { Backoff } from '@lobbystats/concurrency';
import type { BoardJobHandler } from '../leaderboards/board-job-handler.ts';
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
      await readPage({ slot: parseInstant(slot), ...job });
    }),
    handle(boardRequested, async ({ data: { pass, ...job } }) => {
      await readBoard({ pass: parseInstant(pass), ...job });
    }),
  ];
  return bus.consume({ queue: 'collector', handlers, prefetch, backoffMs, attempts: Infinity });
}
