import { setTimeout as pause } from 'node:timers/promises';
import type { Running } from '@lobbystats/message-bus';

export interface Following {
  isCurrent(): boolean;
  readonly attempted: Promise<void>;
  stop(): Promise<void>;
}

export interface KeepFollowingOptions {
  /** Starts following; calls its argument when it fails later. */
  follow: (onFault: (error: unknown) => void) => Promise<Running>;
  /**
   * `failures`: consecutive ones.
   *
   * @param failures how often it has failed since it last followed
   */
  onFault: (error: unknown, failures: number) => void;
  /** In milliseconds. Default: 250 ms doubling up to 4 s. */
  retryMs?: (failures: number) => number;
}

/** Restarts following after each failure. */
export function keepFollowing({ follow, onFault, retryMs = backoff }: KeepFollowingOptions): Following {
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
  const followOnce = async () => {
    const broken = Promise.withResolvers<{ error: unknown }>();
    const reader = await follow((error) => broken.resolve({ error }));
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
        await followOnce();
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
    attempted: attempted.promise,
    stop: async () => {
      stopping.abort();
      await running;
    },
  };
}

function backoff(failures: number): number {
  return Math.min(250 * 2 ** (failures - 1), 4000);
}
