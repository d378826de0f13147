import { AppError } from '@lobbystats/errors';

/**
 * Bounds what somebody waits for: work that isn't done within so many milliseconds is `unavailable`, and goes on unseen.
 *
 * @param late what the error says
 */
export function promptly(
  withinMs: number,
  late = 'The store does not answer in time',
): <Result>(work: () => Promise<Result>) => Promise<Result> {
  return async (work) => {
    const { promise: tooLate, reject } = Promise.withResolvers<never>();
    const timer = setTimeout(() => {
      reject(new AppError('unavailable', late));
    }, withinMs);
    try {
      return await Promise.race([work(), tooLate]);
    } finally {
      clearTimeout(timer);
    }
  };
}
