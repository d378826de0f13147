import type { Running } from '@lobbystats/message-bus';

export interface Following {
  /** Whether the facts are being followed now. */
  current(): boolean;
  stop(): Promise<void>;
}

/**
 * Starts following, and again after `retryMs` whenever it can't be started or breaks off.
 *
 * @param follow begins to follow; calls its argument when it breaks off later
 */
export function keepFollowing(
  follow: (onFault: (error: unknown) => void) => Promise<Running>,
  retryMs: number,
  onFault: (error: unknown) => void,
): Following {
  let running: Running | undefined;
  let timer: NodeJS.Timeout | undefined;
  let stopped = false;
  let attempt: Promise<void> = Promise.resolve();

  const again = (error: unknown) => {
    const broken = running;
    running = undefined;
    if (stopped) return;
    onFault(error);
    timer = setTimeout(() => {
      attempt = (broken?.stop() ?? Promise.resolve()).then(begin, begin);
    }, retryMs);
  };
  const begin = async () => {
    try {
      const started = await follow(again);
      // It may have been stopped while it was starting.
      if (stopped) await started.stop();
      else running = started;
    } catch (error) {
      again(error);
    }
  };
  attempt = begin();

  return {
    current: () => running !== undefined,
    stop: async () => {
      stopped = true;
      clearTimeout(timer);
      await attempt;
      await running?.stop();
    },
  };
}
