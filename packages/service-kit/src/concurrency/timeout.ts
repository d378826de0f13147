import { AppError } from '@lobbystats/contracts/errors';

/** Rejects with AppError `unavailable` after a timeout. The work itself isn't cancelled. */
export function withTimeout(
  withinMs: number,
  late = 'The store does not answer in time',
): <Result>(work: () => Promise<Result>) => Promise<Result> {
  return <Result>(work: () => Promise<Result>) =>
    new Promise<Result>((resolve, reject) => {
      const timer = setTimeout(() => {
        reject(new AppError('unavailable', late));
      }, withinMs);
      Promise.try(work)
        .finally(() => clearTimeout(timer))
        .then(resolve, reject);
    });
}

/** Resolves to undefined when the work takes longer. The work itself isn't cancelled. */
export async function resolveWithin<Result>(work: Promise<Result>, ms: number): Promise<Result | undefined> {
  const { promise: late, resolve } = Promise.withResolvers<undefined>();
  const timer = setTimeout(() => {
    resolve(undefined);
  }, ms);
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}
