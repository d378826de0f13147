import { AsyncLocalStorage } from 'node:async_hooks';

/** Request or message being processed: written to logs, propagated by calls and messages. */
export interface WorkContext {
  readonly requestId?: string;
  readonly messageId?: string;
  readonly traceparent: string;
  /** The service that does the work; set only where a span is recorded. */
  readonly service?: string | undefined;
}

const storage = new AsyncLocalStorage<WorkContext>();

export const context = {
  current(): WorkContext | undefined {
    return storage.getStore();
  },
  run<Result>(current: WorkContext, work: () => Result): Result {
    return storage.run(current, work);
  },
  leave<Result>(work: () => Result): Result {
    return storage.exit(work);
  },
} as const;
