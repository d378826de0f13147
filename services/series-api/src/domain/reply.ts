import type { EpochSeconds } from '@lobbystats/contracts';

export function reply<Body>(body: Body, newest: EpochSeconds | null | undefined) {
  return newest === null || newest === undefined ? { body } : { body, lastModified: newest };
}
