const closing = new Set<() => Promise<unknown>>();

async function closeAndExit(): Promise<void> {
  await Promise.allSettled([...closing].map((close) => close()));
  process.exit(1);
}

/** Runs `close` on SIGINT or SIGTERM, and exits when all that was passed here is closed. */
export function closeOnSignal(close: () => Promise<unknown>): void {
  if (closing.size === 0)
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => void closeAndExit());
  closing.add(close);
}
