import { exponentialBackoff } from '@lobbystats/service-kit/concurrency';
import { setTimeout as pause } from 'node:timers/promises';
import type { Subscription } from '@lobbystats/service-kit/bus';

export interface LogReaderHandle {
  isCurrent(): boolean;
  readonly firstAttempt: Promise<void>;
  stop(): Promise<void>;
}

export interface SuperviseLogReaderOptions {
  /** Starts the log reader. Calls `onFault` when it fails later. */
  start: (onFault: (error: unknown) => void) => Promise<Subscription>;
  /** @param failures consecutive failures */
  onFault: (error: unknown, failures: number) => void;
  /** In milliseconds. Default: 250 ms doubling up to 4 s. */
  retryMs?: (failures: number) => number;
}

/** Restarts the log reader after each failure, with backoff. */
export function superviseLogReader({
  start,
  onFault,
  retryMs = exponentialBackoff(250, 4000),
}: SuperviseLogReaderOptions): LogReaderHandle {
  const stopping = new AbortController();
  const { signal } = stopping;
  const isStopping = () => signal.aborted;
  const stopped = new Promise<void>((resolve) => {
    signal.addEventListener('abort', () => resolve());
  });
  const attempted = Promise.withResolvers<undefined>();
  let isCurrent = false;
  let failures = 0;

  /** Resolves when stopped, rejects on failure. */
  const readOnce = async () => {
    const broken = Promise.withResolvers<{ error: unknown }>();
    const reader = await start((error) => broken.resolve({ error }));
    isCurrent = true;
    failures = 0;
    attempted.resolve(undefined);
    const fault = await Promise.race([broken.promise, stopped]);
    isCurrent = false;
    await reader.stop();
    if (fault !== undefined) throw fault.error;
  };
  const run = async () => {
    while (!isStopping()) {
      try {
        await readOnce();
      } catch (error) {
        attempted.resolve(undefined);
        if (isStopping()) return;
        failures += 1;
        onFault(error, failures);
        await pause(retryMs(failures), undefined, { signal }).catch(() => undefined);
      }
    }
  };
  const running = run();

  return {
    isCurrent: () => isCurrent,
    firstAttempt: attempted.promise,
    stop: async () => {
      stopping.abort();
      await running;
    },
  };
}
