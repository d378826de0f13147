/** Closes what was brought up, and ends, when the process is told to stop. */
export function closeWhenTold(close: () => Promise<unknown>): void {
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.once(signal, () => void close().finally(() => process.exit(1)));
  }
}
