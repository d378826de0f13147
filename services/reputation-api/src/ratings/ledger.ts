import { nextRevision, ratingStored, type EpochSeconds, type Fact } from '@lobbystats/contracts';
import { isKnown, totalsOf, type RatedUser } from './rated-user.ts';
import { ratingId, type Rating, type RatingKey } from './rating.ts';
import type { Before, Change, LedgerQueries, Reads } from './ledger.queries.ts';
import type { RatingQueries } from './ratings.queries.ts';

export interface LedgerDeps {
  readonly store: RatingQueries & LedgerQueries;
  readonly clock: () => number;
  readonly origin: string;
  /** Yields, since a store in this process is written without a pause. */
  readonly pause: () => Promise<void>;
}

/**
 * Runs one change. `work` may run again after a conflict, and must have no other effects.
 *
 * @param withinMs see `change` of {@link LedgerQueries}
 * @throws AppError `unavailable` when the store is unavailable
 */
export function writeLedger<Result>(
  { store, clock, origin }: LedgerDeps,
  reads: Reads,
  work: (ledger: Ledger) => Result,
  withinMs?: number,
): Promise<Result> {
  return store.change(
    reads,
    (before) => {
      const ledger = new Ledger(before, origin, clock());
      return { result: work(ledger), change: ledger.toChange() };
    },
    withinMs,
  );
}

/** Returns what a change of these ratings reads. */
export function readsOf(ratings: readonly RatingKey[]) {
  const userKeys = new Set(ratings.flatMap(({ profileKey, raterKey }) => [profileKey, raterKey]));
  return { users: [...userKeys], ratings };
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
  readonly #usersBefore: ReadonlyMap<string, RatedUser>;
  readonly #ratingsBefore: ReadonlyMap<string, Rating>;
  readonly #erasedBefore: ReadonlySet<string>;
  readonly #origin: string;
  readonly #revision: number;
  readonly #users = new Map<string, RatedUser>();
  readonly #ratings = new Map<string, { key: RatingKey; after: Rating | undefined }>();
  readonly #erased = new Set<string>();
  readonly #allowed = new Set<string>();
  readonly #facts: Fact[] = [];
  readonly #rated = new Map<string, Set<string>>();

  constructor(before: Before, origin: string, nowMs: number) {
    this.#usersBefore = new Map(before.users.map((user) => [user.key, user]));
    this.#ratingsBefore = new Map(before.ratings.map((rating) => [ratingId(rating), rating]));
    this.#erasedBefore = new Set(before.erased);
    this.#origin = origin;
    this.#revision = nextRevision(before.revision, nowMs);
    this.now = Math.floor(nowMs / 1000);
  }

  user(key: string): RatedUser | undefined {
    return this.#users.get(key) ?? this.#usersBefore.get(key);
  }

  rating(key: RatingKey): Rating | undefined {
    const id = ratingId(key);
    const set = this.#ratings.get(id);
    return set === undefined ? this.#ratingsBefore.get(id) : set.after;
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
    return this.#erased.has(key) || this.#erasedBefore.has(key);
  }

  markErased(key: string): void {
    if (!this.#erasedBefore.has(key)) this.#erased.add(key);
  }

  markAllowed(key: string): void {
    if (this.#erasedBefore.has(key)) this.#allowed.add(key);
  }

  addFact<Type extends FactType>(type: Type, data: Parameters<Type['tags']>[0]): void {
    const id = `${type.key}:${this.#origin}:${this.#revision}:${this.#facts.length + 1}`;
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
    if (this.#users.size + this.#ratings.size + this.#erased.size + this.#allowed.size + this.#facts.length === 0)
      return undefined;
    const users = [...this.#users.values()];
    const ratings = [...this.#ratings.values()];
    return {
      revision: this.#revision,
      users: users.filter((user) => !isUnused(user)),
      removedUsers: users.filter(isUnused).map(({ key }) => key),
      ratings: ratings.flatMap(({ after }) => after ?? []),
      removedRatings: ratings.filter(({ after }) => after === undefined).map(({ key }) => key),
      erased: [...this.#erased],
      allowed: [...this.#allowed],
      facts: this.#facts,
    };
  }

  #addTotalsFact(profileKey: string, raterKeys: ReadonlySet<string>): void {
    const profile = this.user(profileKey);
    if (!isKnown(profile)) return;
    const { username } = profile;
    const { average, ratingCount } = totalsOf(profile);
    const users = [...raterKeys].flatMap((key) => this.user(key) ?? []);
    const raters = users.map((rater) => ({ username: rater.username, ratingsGiven: rater.ratingsGiven }));
    this.addFact(ratingStored, { username, average, ratingCount, raters });
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
      this.putUser({ ...rater, ratingsGiven: rater.ratingsGiven + givenOf(after) - givenOf(before) });
    }
  }
}

function isUnused({ revision, ratingCount, ratingsGiven, isBarred }: RatedUser): boolean {
  return revision === null && ratingCount === 0 && ratingsGiven === 0 && !isBarred;
}

function votesOf(rating: Rating | undefined): number {
  return rating?.counts === true ? 1 : 0;
}

function starsOf(rating: Rating | undefined): number {
  return rating?.counts === true ? rating.stars : 0;
}

function givenOf(rating: Rating | undefined): number {
  return rating !== undefined && rating.stars > 0 ? 1 : 0;
}
