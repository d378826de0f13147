import { PRIOR_STARS, PRIOR_VOTES } from '@lobbystats/contracts';
import type { RatedUser } from './rated-user.ts';

export function totalsOf({ ratingCount, starSum }: Pick<RatedUser, 'ratingCount' | 'starSum'>) {
  return {
    average: averageOf(ratingCount, starSum),
    ratingCount,
    effectiveVotes: PRIOR_VOTES + ratingCount,
    priorOnly: ratingCount === 0,
  };
}

/**
 * `(50 + stars) / (10 + ratings)`: a prior of 10 ratings of 5 stars. Rounded half up to 2 decimals in integer
 * arithmetic.
 */
export function averageOf(ratingCount: number, starSum: number): number {
  const votes = PRIOR_VOTES + ratingCount;
  const doubled = (PRIOR_VOTES * PRIOR_STARS + starSum) * 200 + votes;
  return (doubled - (doubled % (2 * votes))) / (2 * votes) / 100;
}
