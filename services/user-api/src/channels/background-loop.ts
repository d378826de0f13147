/** Runs work now, at each interval, and soon after each `wake`; one run at a time. */
export interface BackgroundLoop {
  wake(): void;
  /** Waits for a running one. */
  stop(): Promise<void>;
}

interface LoopOptions {
  everyMs: number;
  work: () => Promise<void>;
  onFault: (error: unknown) => void;
}

export function startBackgroundLoop({ everyMs, work, onFault }: LoopOptions): BackgroundLoop {
  let timer: NodeJS.Timeout | undefined;
  let running: Promise<void> | undefined;
  const state = { isRequested: false, isStopped: false };
  const run = async (): Promise<void> => {
    clearTimeout(timer);
    state.isRequested = false;
    await work().catch(onFault);
    running = undefined;
    goOn();
  };
  // Apart from `run`: a call of `wake` during its work is no write that it can see.
  const goOn = (): void => {
    if (state.isStopped) return;
    if (state.isRequested) wake();
    else timer = setTimeout(wake, everyMs);
  };
  const wake = (): void => {
    if (state.isStopped) return;
    state.isRequested = true;
    running ??= run();
  };
  wake();
  return {
    wake,
    stop: async () => {
      state.isStopped = true;
      clearTimeout(timer);
      await running;
    },
  };
}
