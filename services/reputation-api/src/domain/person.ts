/** Somebody who can be rated, or has rated. */
export interface Person {
  /** `usernameKey` of the username. */
  readonly key: string;
  /** Canonical spelling; of one whom nobody has told of, that of the session. */
  readonly username: string;
  /** Of the fact that told of them; null: nobody has, so they can't be rated. */
  readonly revision: number | null;
  /** `nameKey` of the gamertag that the network's feed gives for them; "" when unknown. */
  readonly playerKey: string;
  /** Ratings received, of raters who aren't barred. */
  readonly ratingCount: number;
  /** The stars of those. */
  readonly starSum: number;
  /** How many people they have rated. */
  readonly ratingsGiven: number;
  /** From rating, by the operators. */
  readonly isBarred: boolean;
}

/** Who has done nothing yet. */
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

/** Whether somebody can be rated. */
export function isKnown(person: Person | undefined): person is Person {
  return person !== undefined && person.revision !== null;
}

/** Whether there is nothing to be kept of somebody. */
export function isNobody({ revision, ratingCount, ratingsGiven, isBarred }: Person): boolean {
  return revision === null && ratingCount === 0 && ratingsGiven === 0 && !isBarred;
}

/** Whether two accounts are one person's: in any spelling, or by the name that the network's feed gives for both. */
export function isSamePerson(one: Person, other: Person): boolean {
  return one.key === other.key || (one.playerKey !== '' && one.playerKey === other.playerKey);
}
