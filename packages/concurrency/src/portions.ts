const INTERVAL_MS = 3_600_000;

export interface Portions {
  /** Waits for a running portion. */
  stop: () => Promise<void>;
}

interface PortionsOptions {
  /** Resolves to true while there is more to do. */
  portion: () => Promise<boolean>;
  onFault: (error: unknown) => void;
}

/** Runs portions until there is no more to do, now and every hour. Other work runs between portions. */
export function startPortions({ portion, onFault }: PortionsOptions): Portions {
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
    schedule(hasMore ? 0 : INTERVAL_MS);
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
