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
