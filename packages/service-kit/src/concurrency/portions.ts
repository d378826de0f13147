export interface Portions {
  /** Waits for a running portion. */
  stop: () => Promise<void>;
}

interface PortionsOptions {
  everyMs: number;
  /** Resolves to true while there is more to do. */
  portion: () => Promise<boolean>;
  onFault: (error: unknown) => void;
}

/** Runs portions until there is no more to do, now and at each interval. Other work runs between portions. */
export function startPortions({ everyMs, portion, onFault }: PortionsOptions): Portions {
  let timer: NodeJS.Timeout;
  let running = Promise.resolve();
  let stopped = false;
  const schedule = (ms: number): void => {
    if (stopped) return;
    timer = setTimeout(() => {
      running = run();
    }, ms);
  };
  const run = async (): Promise<void> => {
    let hasMore = false;
    try {
      hasMore = await portion();
    } catch (error) {
      onFault(error);
    }
    schedule(hasMore ? 0 : everyMs);
  };
  schedule(0);
  return {
    stop: async () => {
      stopped = true;
      clearTimeout(timer);
      await running;
    },
  };
}
