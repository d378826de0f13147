import type { Fact } from '@lobbystats/contracts';
import { newPerson, type Person } from '../src/domain/person.ts';
import { ratingId, type Rating, type RatingKey } from '../src/domain/rating.ts';
import type { Change, Reads, ReputationStore } from '../src/domain/reputation-store.ts';

/** Somebody who can be rated, but for what is given. */
export function person(key: string, fields: Partial<Person> = {}): Person {
  return { ...newPerson(key, key), revision: 1, ...fields };
}

/** A rating of 3 stars, but for what is given. */
export function rating(raterKey: string, profileKey: string, fields: Partial<Rating> = {}): Rating {
  return {
    profileKey,
    raterKey,
    raterUsername: raterKey,
    stars: 3,
    comment: null,
    isHidden: false,
    counts: true,
    createdAt: 1_800_000_000,
    ...fields,
  };
}

/** A fact, told by its id. */
export function fact(id: string): Fact {
  const data = { username: 'EmberFox', average: 5, ratingCount: 0, raters: [], text: '__proto__ \0 🏁' };
  return { type: 'rating.stored', id, occurredAt: 1_800_000_000, past: false, data };
}

const circle: { within?: unknown } = {};
circle.within = circle;
/** A fact that no store can write. */
export const unwritable: Fact = { ...fact('unwritable'), data: circle };

/** Makes a change, whatever is there. */
export async function put(store: ReputationStore, change: Partial<Change>): Promise<void> {
  await store.change({}, ({ revision }) => ({
    result: undefined,
    change: {
      revision: revision + 1,
      people: [],
      removedPeople: [],
      ratings: [],
      removedRatings: [],
      forgotten: [],
      facts: [],
      ...change,
    },
  }));
}

/** What is there of what is asked for. */
export async function look(store: ReputationStore, { people = [], ratings = [], mayBeForgotten = [] }: Reads) {
  return store.change({ people, ratings, mayBeForgotten }, (before) => ({
    change: undefined,
    result: {
      revision: before.revision,
      people: people.map((key) => before.people.get(key)),
      ratings: ratings.map((key: RatingKey) => before.ratings.get(ratingId(key))),
      forgotten: mayBeForgotten.filter((key) => before.forgotten.has(key)),
    },
  }));
}
