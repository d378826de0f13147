interface Patience {
  readonly timeoutMs?: number;
  readonly everyMs?: number;
}

/** Retries an expectation until it succeeds. @throws its last error at the deadline */
export async function eventually<Result>(
  expectation: () => Result | Promise<Result>,
  { timeoutMs = 90_000, everyMs = 10 }: Patience = {},
): Promise<Result> {
  const deadline = performance.now() + timeoutMs;
  for (;;) {
    try {
      return await expectation();
    } catch (error) {
      if (performance.now() >= deadline) throw error;
    }
    await elapse(everyMs);
  }
}

/** Polls a condition until it is true, without an error for each try. @throws Error that shows it, at the deadline */
export async function until(
  isSo: () => boolean | Promise<boolean>,
  { timeoutMs = 90_000, everyMs = 2 }: Patience = {},
): Promise<void> {
  const deadline = performance.now() + timeoutMs;
  for (;;) {
    let cause: unknown;
    try {
      if (await isSo()) return;
    } catch (error) {
      cause = error;
    }
    if (performance.now() >= deadline) throw new Error(`Timed out waiting for: ${isSo.toString()}`, { cause });
    await elapse(everyMs);
  }
}

function elapse(ms: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, ms);
  });
}
