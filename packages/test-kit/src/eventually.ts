import { hasCode } from '@lobbystats/contracts/errors';

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
    // Nothing tells when the expectation may hold: each try may ask a server or a page.
    await new Promise((resolve) => {
      setTimeout(resolve, everyMs);
    });
  }
}

/** Polls a condition until it is true. @throws Error that shows it, at the deadline */
export function until(isSo: () => boolean | Promise<boolean>, patience: Patience = {}): Promise<void> {
  // Created once: it names the caller, and a poll takes no stack.
  const error = new Error(`Timed out waiting for: ${isSo.toString()}`);
  return eventually(
    async () => {
      if (!(await isSo())) throw error;
    },
    { everyMs: 2, ...patience },
  );
}

/** Repeats what a server did not answer in time, as on a busy machine. @throws any other error at once */
export async function untilAnswered<Result>(attempt: () => Promise<Result>): Promise<Result> {
  const outcome = await eventually(
    async () => {
      try {
        return { result: await attempt() };
      } catch (error) {
        if (isUnanswered(error)) throw error;
        return { error };
      }
    },
    { everyMs: 500 },
  );
  if ('error' in outcome) throw outcome.error;
  return outcome.result;
}

/** Returns whether an error of the services, of their API or of MongoDB's driver means that a server did not answer. */
function isUnanswered(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const isUnavailableApi = 'status' in error && error.status === 503;
  return hasCode(error, 'unavailable') || isUnavailableApi || /^Mongo(ServerSelection|Network)/.test(error.name);
}
