import type { EpochSeconds } from '@lobbystats/contracts';

/** A body and what it was made from: null or undefined when there was nothing yet. */
export function answer<Body>(body: Body, newest: EpochSeconds | null | undefined) {
  return newest === null || newest === undefined ? { body } : { body, lastModified: newest };
}
