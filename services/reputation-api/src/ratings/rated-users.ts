import { nameKey, normalizeUsername, usernameKey } from '@lobbystats/contracts';
import { isKnown, createRatedUser } from './rated-user.ts';
import type { RatingKey } from './rating.ts';
import { readsOf, writeLedger, type LedgerDeps } from './ledger.ts';

/** Some milliseconds for a transaction. */
export const RATINGS_PER_BATCH = 250;

export interface UserIdentity {
  readonly username: string;
  /** `""` when unknown. */
  readonly gamertag: string;
}

export class RatedUsers {
  readonly #deps: LedgerDeps;

  constructor(deps: LedgerDeps) {
    this.#deps = deps;
  }

  /**
   * The higher revision wins. Idempotent, and completes an interrupted run. Erased users stay erased.
   *
   * @throws AppError `unavailable` when the store is unavailable
   */
  async upsert(revision: number, identities: readonly UserIdentity[]): Promise<void> {
    const users = identities.map(({ username, gamertag }) => ({
      key: usernameKey(username),
      username: normalizeUsername(username),
      playerKey: nameKey(gamertag),
    }));
    const keys = users.map(({ key }) => key);
    const reads = { users: keys, maybeErased: keys };
    const raters = await writeLedger(this.#deps, reads, (ledger) =>
      users.filter(({ key, username, playerKey }) => {
        if (ledger.isErased(key)) return false;
        const before = ledger.user(key) ?? createRatedUser(key, username);
        if (before.revision !== null && before.revision > revision) return false;
        if (before.revision !== revision) ledger.putUser({ ...before, username, playerKey, revision });
        // Users known from ratings alone have one spelling.
        const hasSameSpelling = before.revision === null && before.username === username;
        return before.ratingsGiven > 0 && !hasSameSpelling;
      }),
    );
    await this.#deps.pause();
    await this.#updateSpelling(raters.map(({ key }) => key));
  }

  /**
   * Users who are no longer known, until a later {@link upsert}. Their ratings are kept.
   *
   * @throws AppError `unavailable` when the store is unavailable
   */
  async retire(revision: number, usernames: readonly string[]): Promise<void> {
    if (usernames.length === 0) return;
    const keys = usernames.map(usernameKey);
    await writeLedger(this.#deps, { users: keys }, (ledger) => {
      for (const user of keys.map((key) => ledger.user(key)).filter(isKnown)) {
        if ((user.revision ?? 0) <= revision) ledger.putUser({ ...user, revision: null, playerKey: '' });
      }
    });
    await this.#deps.pause();
  }

  /**
   * Erases a user and the ratings given and received, in small changes. Idempotent, and completes an interrupted run.
   *
   * @throws AppError `unavailable` when the store is unavailable; the erasure may be incomplete
   */
  async erase(username: string): Promise<void> {
    const { store } = this.#deps;
    const key = usernameKey(username);
    await writeLedger(this.#deps, { users: [key], maybeErased: [key] }, (ledger) => {
      ledger.markErased(key);
      const user = ledger.user(key);
      if (user !== undefined) ledger.putUser({ ...user, revision: null, playerKey: '', isBarred: false });
    });
    await this.#removeRatings((limit) => store.ratingsBy(key, { limit }));
    await this.#removeRatings((limit) => store.ratingsOf(key, { limit }));
  }

  /** Reverts the ban that {@link erase} has left: the user may rate, and later messages bring the user back. */
  async allow(username: string): Promise<void> {
    const key = usernameKey(username);
    await writeLedger(this.#deps, { maybeErased: [key] }, (ledger) => ledger.markAllowed(key));
  }

  /** Batches the ratings of several raters, since most users have rated few profiles. */
  async #updateSpelling(raterKeys: readonly string[]): Promise<void> {
    const { store } = this.#deps;
    let waiting: RatingKey[] = [];
    for (const raterKey of raterKeys) {
      let after: string | undefined;
      do {
        const batch = await store.ratingsBy(raterKey, { after, limit: RATINGS_PER_BATCH });
        if (waiting.length + batch.length > RATINGS_PER_BATCH) {
          await this.#updateBatch(waiting);
          waiting = [];
        }
        waiting.push(...batch);
        after = batch.length < RATINGS_PER_BATCH ? undefined : batch.at(-1)?.profileKey;
      } while (after !== undefined);
    }
    if (waiting.length > 0) await this.#updateBatch(waiting);
  }

  async #updateBatch(keys: readonly RatingKey[]): Promise<void> {
    await writeLedger(this.#deps, readsOf(keys), (ledger) => {
      for (const key of keys) {
        const rating = ledger.rating(key);
        const username = ledger.user(key.raterKey)?.username;
        if (rating === undefined || username === undefined || rating.raterUsername === username) continue;
        ledger.setRating({ ...rating, raterUsername: username });
      }
    });
    await this.#deps.pause();
  }

  /** Removes ratings in batches, and publishes changed averages. */
  async #removeRatings(next: (limit: number) => Promise<RatingKey[]>): Promise<void> {
    for (let keys = await next(RATINGS_PER_BATCH); keys.length > 0; keys = await next(RATINGS_PER_BATCH)) {
      await writeLedger(this.#deps, readsOf(keys), (ledger) => {
        for (const key of keys) {
          const wasCounted = ledger.rating(key)?.counts === true;
          ledger.removeRating(key);
          if (wasCounted && isKnown(ledger.user(key.profileKey))) ledger.addRatingFact(key.profileKey);
        }
      });
      await this.#deps.pause();
    }
  }
}
