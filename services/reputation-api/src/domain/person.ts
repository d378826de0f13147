export interface Person {
  readonly key: string;
  readonly username: string;
  readonly revision: number | null;
  readonly playerKey: string;
  readonly ratingCount: number;
  readonly starSum: number;
  readonly ratingsGiven: number;
  readonly isBarred: boolean;
}

export function newPerson(key: string, username: string): Person {
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

export function isKnown(person: Person | undefined): person is Person {
  return person !== undefined && person.revision !== null;
}

export function isNobody({ revision, ratingCount, ratingsGiven, isBarred }: Person): boolean {
  return revision === null && ratingCount === 0 && ratingsGiven === 0 && !isBarred;
}

/** By username in any spelling, or by the feed's gamertag. */
export function isSamePerson(one: Person, other: Person): boolean {
  return one.key === other.key || (one.playerKey !== '' && one.playerKey === other.playerKey);
}
