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

export function isUnused({ revision, ratingCount, ratingsGiven, isBarred }: RatedUser): boolean {
  return revision === null && ratingCount === 0 && ratingsGiven === 0 && !isBarred;
}

/** By username in any spelling, or by the feed's gamertag. */
export function isSameUser(one: RatedUser, other: RatedUser): boolean {
  return one.key === other.key || (one.playerKey !== '' && one.playerKey === other.playerKey);
}
