import { boardWanted, pageWanted, parseInstant } from '@lobbystats/contracts';
import { handle, type MessageBus, type Running } from '@lobbystats/message-bus';
import type { BoardWork } from '../domain/board-work.ts';
import type { PageReadingWork } from '../domain/page-reading.ts';
import type { Backoff } from '../domain/time.ts';

export interface JobConsumerParts {
  bus: MessageBus;
  readPage: PageReadingWork;
  readBoard: BoardWork;
  prefetch: number;
  backoffMs: Backoff;
}

/** Retries until the job expires with its slot or pass; failures never lead to the dead-letter queue. */
export function consumeJobs({ bus, readPage, readBoard, prefetch, backoffMs }: JobConsumerParts): Promise<Running> {
  const handlers = [
    handle(pageWanted, async ({ data: { slot, ...job } }) => {
      await readPage({ slot: parseInstant(slot), ...job });
    }),
    handle(boardWanted, async ({ data: { pass, ...job } }) => {
      await readBoard({ pass: parseInstant(pass), ...job });
    }),
  ];
  return bus.consume({ queue: 'collector', handlers, prefetch, backoffMs, attempts: Infinity });
}
