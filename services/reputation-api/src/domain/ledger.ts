import { nextRevision, ratingStored, type EpochSeconds, type Fact } from '@lobbystats/contracts';
import { isKnown, isUnused, type RatedUser } from './rated-user.ts';
import { ratingId, type Rating, type RatingKey } from './rating.ts';
import type { Before, Change } from './reputation-store.ts';
import { averageOf } from './totals.ts';

export interface ChangeContext {
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
  readonly #entry: ChangeContext;
  readonly #users = new Map<string, RatedUser>();
  readonly #ratings = new Map<string, { key: RatingKey; after: Rating | undefined }>();
  readonly #forgotten = new Set<string>();
  readonly #facts: Fact[] = [];
  readonly #rated = new Map<string, Set<string>>();

  constructor(before: Before, entry: ChangeContext) {
    this.#before = before;
    this.#entry = entry;
    this.now = Math.floor(entry.nowMs / 1000);
  }

  user(key: string): RatedUser | undefined {
    return this.#users.get(key) ?? this.#before.users.get(key);
  }

  rating(key: RatingKey): Rating | undefined {
    const id = ratingId(key);
    const set = this.#ratings.get(id);
    return set === undefined ? this.#before.ratings.get(id) : set.after;
  }

  putUser(user: RatedUser): void {
    this.#users.set(user.key, user);
  }

  setRating(rating: Rating): void {
    this.#set(rating, rating);
  }

  removeRating(key: RatingKey): void {
    this.#set(key, undefined);
  }

  isErased(key: string): boolean {
    return this.#forgotten.has(key) || this.#before.erased.has(key);
  }

  markErased(key: string): void {
    if (!this.#before.erased.has(key)) this.#forgotten.add(key);
  }

  addFact<Type extends FactType>(type: Type, data: Parameters<Type['tags']>[0]): void {
    const { origin } = this.#entry;
    const id = `${type.key}:${origin}:${this.#revision()}:${this.#facts.length + 1}`;
    this.#facts.push({ type: type.key, id, occurredAt: this.now, past: false, data });
  }

  /** Publishes a profile's totals once at the end, however many ratings changed. */
  addRatingFact(profileKey: string, raterKey?: string): void {
    const raters = this.#rated.get(profileKey) ?? new Set();
    if (raterKey !== undefined) raters.add(raterKey);
    this.#rated.set(profileKey, raters);
  }

  /** Undefined without changes. Call it last. */
  toChange(): Change | undefined {
    for (const [profileKey, raterKeys] of this.#rated) this.#addTotalsFact(profileKey, raterKeys);
    if (this.#users.size + this.#ratings.size + this.#forgotten.size + this.#facts.length === 0) return undefined;
    const users = [...this.#users.values()];
    const ratings = [...this.#ratings.values()];
    return {
      revision: this.#revision(),
      users: users.filter((user) => !isUnused(user)),
      removedUsers: users.filter(isUnused).map(({ key }) => key),
      ratings: ratings.flatMap(({ after }) => after ?? []),
      removedRatings: ratings.filter(({ after }) => after === undefined).map(({ key }) => key),
      erased: [...this.#forgotten],
      facts: this.#facts,
    };
  }

  #addTotalsFact(profileKey: string, raterKeys: ReadonlySet<string>): void {
    const profile = this.user(profileKey);
    if (!isKnown(profile)) return;
    const { username, ratingCount, starSum } = profile;
    const raters = [...raterKeys].flatMap((key) => this.user(key) ?? []).map(raterOf);
    this.addFact(ratingStored, { username, average: averageOf(ratingCount, starSum), ratingCount, raters });
  }

  #set({ profileKey, raterKey }: RatingKey, after: Rating | undefined): void {
    const key = { profileKey, raterKey };
    const before = this.rating(key);
    if (before === undefined && after === undefined) return;
    this.#ratings.set(ratingId(key), { key, after });
    const profile = this.user(profileKey);
    if (profile !== undefined) {
      this.putUser({
        ...profile,
        ratingCount: profile.ratingCount + votesOf(after) - votesOf(before),
        starSum: profile.starSum + starsOf(after) - starsOf(before),
      });
    }
    const rater = this.user(raterKey);
    if (rater !== undefined) {
      const more = Number(after !== undefined) - Number(before !== undefined);
      this.putUser({ ...rater, ratingsGiven: rater.ratingsGiven + more });
    }
  }

  #revision(): number {
    return nextRevision(this.#before.revision, this.#entry.nowMs);
  }
}

function raterOf({ username, ratingsGiven }: RatedUser) {
  return { username, ratingsGiven };
}

function votesOf(rating: Rating | undefined): number {
  return rating?.counts === true ? 1 : 0;
}

function starsOf(rating: Rating | undefined): number {
  return rating?.counts === true ? rating.stars : 0;
}
