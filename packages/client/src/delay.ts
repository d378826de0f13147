/** Resolves after a time, or rejects with the reason of the signal. */
export async function delay(ms: number, signal: AbortSignal | undefined): Promise<void> {
  signal?.throwIfAborted();
  let stop: () => void = () => undefined;
  try {
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, ms);
      stop = () => {
        clearTimeout(timer);
        resolve();
      };
      signal?.addEventListener('abort', stop);
    });
    signal?.throwIfAborted();
  } finally {
    signal?.removeEventListener('abort', stop);
  }
}

/** Exponential backoff with jitter: from half of the time to all of it. */
export function backoffMs(attempt: number, { firstMs, longestMs }: { firstMs: number; longestMs: number }): number {
  return Math.min(firstMs * 2 ** attempt, longestMs) * (0.5 + Math.random() / 2);
}
