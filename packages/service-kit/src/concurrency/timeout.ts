import { AppError } from '@lobbystats/contracts/errors';

/** Rejects with AppError `unavailable` after a timeout. The work itself isn't cancelled. */
export function withTimeout(
  withinMs: number,
  late = 'The store does not answer in time',
): <Args extends unknown[], Result>(work: (...args: Args) => Promise<Result>, ...args: Args) => Promise<Result> {
  return async (work, ...args) => {
    const { promise: expiry, reject } = Promise.withResolvers<never>();
    const timer = setTimeout(() => {
      reject(new AppError('unavailable', late));
    }, withinMs);
    try {
      return await Promise.race([work(...args), expiry]);
    } finally {
      clearTimeout(timer);
    }
  };
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
