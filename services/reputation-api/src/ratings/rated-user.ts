import { PRIOR_STARS, PRIOR_VOTES } from '@lobbystats/contracts';

export interface RatedUser {
  readonly key: string;
  readonly username: string;
  readonly revision: number | null;
  readonly playerKey: string;
  readonly ratingCount: number;
  readonly starSum: number;
  readonly ratingsGiven: number;
  readonly isBarred: boolean;
}

export function createRatedUser(key: string, username: string): RatedUser {
  return {
    key,
    username,
    revision: null,
    playerKey: '',
    ratingCount: 0,
    starSum: 0,
    ratingsGiven: 0,
    isBarred: false,
  };
}

export function isKnown(user: RatedUser | undefined): user is RatedUser {
  return user !== undefined && user.revision !== null;
}

/** By username in any spelling, or by the feed's gamertag. */
export function isSameUser(one: RatedUser, other: RatedUser): boolean {
  return one.key === other.key || (one.playerKey !== '' && one.playerKey === other.playerKey);
}

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
function averageOf(ratingCount: number, starSum: number): number {
  const votes = PRIOR_VOTES + ratingCount;
  const doubled = (PRIOR_VOTES * PRIOR_STARS + starSum) * 200 + votes;
  return (doubled - (doubled % (2 * votes))) / (2 * votes) / 100;
}
