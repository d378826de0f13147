import { sampleRequest } from '@lobbystats/contracts';
import { readsOf } from '@lobbystats/test-kit';
import { HARBOR, RALLY } from './observations.ts';

/** Requests of all reads of the service, for two titles. */
export function allPaths(): string[] {
  const paths = [HARBOR, RALLY].flatMap((titleId) =>
    readsOf('series-api').map((one) => sampleRequest(one, { titleId, otherTitleId: RALLY, player: 'Ada' }).target),
  );
  return [...new Set(paths)];
}
