import { nextRevision, ratingStored, type EpochSeconds, type Fact } from '@lobbystats/contracts';
import { isKnown, isNobody, type Person } from './person.ts';
import { ratingId, type Rating, type RatingKey } from './rating.ts';
import type { Before, Change } from './reputation-store.ts';
import { averageOf } from './totals.ts';

export interface Entry {
  readonly origin: string;
  /** Epoch milliseconds. */
  readonly nowMs: number;
}

interface FactType {
  readonly key: string;
  readonly tags: (data: never) => readonly string[];
}

/**
 * The state within one change. Setting or removing a rating updates the counters of both sides, which must have been
 * read.
 */
export class Ledger {
  readonly now: EpochSeconds;
  readonly #before: Before;
  readonly #entry: Entry;
  readonly #people = new Map<string, Person>();
  readonly #ratings = new Map<string, { key: RatingKey; after: Rating | undefined }>();
  readonly #forgotten = new Set<string>();
  readonly #facts: Fact[] = [];
  readonly #rated = new Map<string, Set<string>>();

  constructor(before: Before, entry: Entry) {
    this.#before = before;
    this.#entry = entry;
    this.now = Math.floor(entry.nowMs / 1000);
  }

  person(key: string): Person | undefined {
    return this.#people.get(key) ?? this.#before.people.get(key);
  }

  rating(key: RatingKey): Rating | undefined {
    const id = ratingId(key);
    const set = this.#ratings.get(id);
    return set === undefined ? this.#before.ratings.get(id) : set.after;
  }

  putPerson(person: Person): void {
    this.#people.set(person.key, person);
  }

  setRating(rating: Rating): void {
    this.#set(rating, rating);
  }

  removeRating(key: RatingKey): void {
    this.#set(key, undefined);
  }

  isForgotten(key: string): boolean {
    return this.#forgotten.has(key) || this.#before.forgotten.has(key);
  }

  forget(key: string): void {
    if (!this.#before.forgotten.has(key)) this.#forgotten.add(key);
  }

  say<Type extends FactType>(type: Type, data: Parameters<Type['tags']>[0]): void {
    const { origin } = this.#entry;
    const id = `${type.key}:${origin}:${this.#revision()}:${this.#facts.length + 1}`;
    this.#facts.push({ type: type.key, id, occurredAt: this.now, past: false, data });
  }

  /** Publishes a profile's totals once at the end, however many ratings changed. */
  sayRated(profileKey: string, raterKey?: string): void {
    const raters = this.#rated.get(profileKey) ?? new Set();
    if (raterKey !== undefined) raters.add(raterKey);
    this.#rated.set(profileKey, raters);
  }

  /** Undefined without changes. Call it last. */
  change(): Change | undefined {
    for (const [profileKey, raterKeys] of this.#rated) this.#sayRatings(profileKey, raterKeys);
    if (this.#people.size + this.#ratings.size + this.#forgotten.size + this.#facts.length === 0) return undefined;
    const people = [...this.#people.values()];
    const ratings = [...this.#ratings.values()];
    return {
      revision: this.#revision(),
      people: people.filter((person) => !isNobody(person)),
      removedPeople: people.filter(isNobody).map(({ key }) => key),
      ratings: ratings.flatMap(({ after }) => after ?? []),
      removedRatings: ratings.filter(({ after }) => after === undefined).map(({ key }) => key),
      forgotten: [...this.#forgotten],
      facts: this.#facts,
    };
  }

  #sayRatings(profileKey: string, raterKeys: ReadonlySet<string>): void {
    const profile = this.person(profileKey);
    if (!isKnown(profile)) return;
    const { username, ratingCount, starSum } = profile;
    const raters = [...raterKeys].flatMap((key) => this.person(key) ?? []).map(raterOf);
    this.say(ratingStored, { username, average: averageOf(ratingCount, starSum), ratingCount, raters });
  }

  #set({ profileKey, raterKey }: RatingKey, after: Rating | undefined): void {
    const key = { profileKey, raterKey };
    const before = this.rating(key);
    if (before === undefined && after === undefined) return;
    this.#ratings.set(ratingId(key), { key, after });
    const profile = this.person(profileKey);
    if (profile !== undefined) {
      this.putPerson({
        ...profile,
        ratingCount: profile.ratingCount + votesOf(after) - votesOf(before),
        starSum: profile.starSum + starsOf(after) - starsOf(before),
      });
    }
    const rater = this.person(raterKey);
    if (rater !== undefined) {
      const more = Number(after !== undefined) - Number(before !== undefined);
      this.putPerson({ ...rater, ratingsGiven: rater.ratingsGiven + more });
    }
  }

  #revision(): number {
    return nextRevision(this.#before.revision, this.#entry.nowMs);
  }
}

function raterOf({ username, ratingsGiven }: Person) {
  return { username, ratingsGiven };
}

function votesOf(rating: Rating | undefined): number {
  return rating?.counts === true ? 1 : 0;
}

function starsOf(rating: Rating | undefined): number {
  return rating?.counts === true ? rating.stars : 0;
}
