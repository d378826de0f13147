/** Retries an expectation until it succeeds. @throws its last error at the deadline */
export async function eventually<Result>(
  expectation: () => Result | Promise<Result>,
  { timeoutMs = 30_000, everyMs = 10 }: { timeoutMs?: number; everyMs?: number } = {},
): Promise<Result> {
  const deadline = performance.now() + timeoutMs;
  for (;;) {
    try {
      return await expectation();
    } catch (error) {
      if (performance.now() >= deadline) throw error;
    }
    await new Promise((resolve) => {
      setTimeout(resolve, everyMs);
    });
  }
}
