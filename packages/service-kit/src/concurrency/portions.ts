import { AsyncLocalStorage } from 'node:async_hooks';

export interface Portions {
  /** Waits for a running portion. */
  stop: () => Promise<void>;
}

export interface WakeablePortions {
  /** Runs a portion soon. Does nothing before the start, which runs one anyway. */
  readonly wake: () => void;
  readonly start: () => Portions;
}

interface PortionsOptions {
  everyMs: number;
  /** Resolves to true while there is more to do. */
  portion: () => Promise<unknown>;
  onFault: (error: unknown) => void;
}

/**
 * Runs one portion at a time until there is no more to do: from the start on, at each interval, and when woken. Other work
 * runs between them.
 */
export function createPortions({ everyMs, portion, onFault }: PortionsOptions): WakeablePortions {
  // A portion runs outside of the context of the message or request that wakes it.
  const runDetached = AsyncLocalStorage.snapshot();
  const state = { isStarted: false, isWoken: false };
  let timer: NodeJS.Timeout | undefined;
  let running: Promise<void> | undefined;
  const step = async (): Promise<boolean> => {
    try {
      return (await portion()) === true;
    } catch (error) {
      onFault(error);
      return false;
    }
  };
  const schedule = (hasMore: boolean): void => {
    running = undefined;
    if (state.isStarted) timer = setTimeout(run, hasMore || state.isWoken ? 0 : everyMs);
  };
  const run = (): void => {
    clearTimeout(timer);
    state.isWoken = false;
    running = runDetached(step).then(schedule);
  };
  return {
    wake: () => {
      state.isWoken = true;
      if (state.isStarted && running === undefined) run();
    },
    start: () => {
      state.isStarted = true;
      run();
      return {
        stop: async () => {
          state.isStarted = false;
          clearTimeout(timer);
          await running;
        },
      };
    },
  };
}

/** Runs portions that nothing wakes, from now on. */
export function startPortions(options: PortionsOptions): Portions {
  return createPortions(options).start();
}
