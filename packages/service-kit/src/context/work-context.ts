import { AsyncLocalStorage } from 'node:async_hooks';

/** What a piece of work is done for: logs bear it, calls and messages hand it on. */
export interface WorkContext {
  /** Of the HTTP request being answered. */
  readonly requestId?: string;
  /** Of the message being handled. */
  readonly messageId?: string;
  /** W3C trace context of this work. */
  readonly traceparent: string;
  /** Whose work it is: known only of work that has a span. */
  readonly service?: string | undefined;
}

const storage = new AsyncLocalStorage<WorkContext>();

/** The context of the running work, which follows it through promises and callbacks. */
export const context = {
  /** None outside of requests and messages. */
  current(): WorkContext | undefined {
    return storage.getStore();
  },
  run<Result>(current: WorkContext, work: () => Result): Result {
    return storage.run(current, work);
  },
  /** Does work that isn't for what is running now, such as telling what became of others. */
  leave<Result>(work: () => Result): Result {
    return storage.exit(work);
  },
} as const;
