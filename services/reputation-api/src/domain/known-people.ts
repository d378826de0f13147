import { nameKey, plainUsername, usernameKey } from '@lobbystats/contracts';
import { isKnown, newPerson } from './person.ts';
import type { RatingKey } from './rating.ts';
import { writeLedger, type Desk } from './write-ledger.ts';

/** Some milliseconds for a transaction. */
export const RATINGS_AT_ONCE = 250;

export interface ToldPerson {
  readonly username: string;
  /** `""` when unknown. */
  readonly gamertag: string;
}

export class KnownPeople {
  readonly #desk: Desk;

  constructor(desk: Desk) {
    this.#desk = desk;
  }

  /**
   * The higher revision wins. Idempotent, and completes an interrupted run. Erased users stay erased.
   *
   * @throws AppError `unavailable` when it couldn't be made durable
   */
  async learn(revision: number, told: readonly ToldPerson[]): Promise<void> {
    const people = told.map(({ username, gamertag }) => ({
      key: usernameKey(username),
      username: plainUsername(username),
      playerKey: nameKey(gamertag),
    }));
    const keys = people.map(({ key }) => key);
    const reads = { people: keys, mayBeForgotten: keys };
    const raters = await writeLedger(this.#desk, reads, (ledger) =>
      people.filter(({ key, username, playerKey }) => {
        if (ledger.isForgotten(key)) return false;
        const before = ledger.person(key) ?? newPerson(key, username);
        if (before.revision !== null && before.revision > revision) return false;
        if (before.revision !== revision) ledger.putPerson({ ...before, username, playerKey, revision });
        // Users known from ratings alone have one spelling.
        const isSpeltSo = before.revision === null && before.username === username;
        return before.ratingsGiven > 0 && !isSpeltSo;
      }),
    );
    await this.#desk.pause();
    await this.#respell(raters.map(({ key }) => key));
  }

  /**
   * Erases a user and the ratings given and received, in small changes. Idempotent, and completes an interrupted run.
   *
   * @throws AppError `unavailable` when it couldn't be made durable: some of it may be
   */
  async forget(username: string): Promise<void> {
    const { store } = this.#desk;
    const key = usernameKey(username);
    await writeLedger(this.#desk, { people: [key], mayBeForgotten: [key] }, (ledger) => {
      ledger.forget(key);
      const person = ledger.person(key);
      if (person !== undefined) ledger.putPerson({ ...person, revision: null, playerKey: '', isBarred: false });
    });
    await this.#takeOut((limit) => store.ratingsBy(key, { limit }));
    await this.#takeOut((limit) => store.ratingsOf(key, { limit }));
  }

  /** Most users have rated few profiles, which change together. */
  async #respell(raterKeys: readonly string[]): Promise<void> {
    const { store } = this.#desk;
    let waiting: RatingKey[] = [];
    for (const raterKey of raterKeys) {
      let after: string | undefined;
      do {
        const given = await store.ratingsBy(raterKey, { after, limit: RATINGS_AT_ONCE });
        if (waiting.length + given.length > RATINGS_AT_ONCE) {
          await this.#spellAnew(waiting);
          waiting = [];
        }
        waiting.push(...given);
        after = given.length < RATINGS_AT_ONCE ? undefined : given.at(-1)?.profileKey;
      } while (after !== undefined);
    }
    if (waiting.length > 0) await this.#spellAnew(waiting);
  }

  async #spellAnew(keys: readonly RatingKey[]): Promise<void> {
    await writeLedger(this.#desk, bothSides(keys), (ledger) => {
      for (const key of keys) {
        const rating = ledger.rating(key);
        const username = ledger.person(key.raterKey)?.username;
        if (rating === undefined || username === undefined || rating.raterUsername === username) continue;
        ledger.setRating({ ...rating, raterUsername: username });
      }
    });
    await this.#desk.pause();
  }

  /** Removes ratings in batches, and publishes changed averages. */
  async #takeOut(next: (limit: number) => Promise<RatingKey[]>): Promise<void> {
    for (let keys = await next(RATINGS_AT_ONCE); keys.length > 0; keys = await next(RATINGS_AT_ONCE)) {
      await writeLedger(this.#desk, bothSides(keys), (ledger) => {
        for (const key of keys) {
          const hadCounted = ledger.rating(key)?.counts === true;
          ledger.removeRating(key);
          if (hadCounted && isKnown(ledger.person(key.profileKey))) ledger.sayRated(key.profileKey);
        }
      });
      await this.#desk.pause();
    }
  }
}

export function bothSides(keys: readonly RatingKey[]) {
  const people = new Set(keys.flatMap(({ profileKey, raterKey }) => [profileKey, raterKey]));
  return { people: [...people], ratings: keys };
}
