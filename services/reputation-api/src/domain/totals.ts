import { PRIOR_STARS, PRIOR_VOTES } from '@lobbystats/contracts';
import type { Person } from './person.ts';

/** What the ratings of a profile come to. */
export function totalsOf({ ratingCount, starSum }: Pick<Person, 'ratingCount' | 'starSum'>) {
  return {
    average: averageOf(ratingCount, starSum),
    ratingCount,
    effectiveVotes: PRIOR_VOTES + ratingCount,
    priorOnly: ratingCount === 0,
  };
}

/**
 * The Bayesian average `(50 + stars) / (10 + ratings)`: a prior of 10 ratings of 5 stars. Of the exact quotient, 2 decimals,
 * half a hundredth upwards; worked out in integers, where nothing is lost.
 */
export function averageOf(ratingCount: number, starSum: number): number {
  const votes = PRIOR_VOTES + ratingCount;
  const doubled = (PRIOR_VOTES * PRIOR_STARS + starSum) * 200 + votes;
  return (doubled - (doubled % (2 * votes))) / (2 * votes) / 100;
}
