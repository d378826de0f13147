import { commentHidden, commentShown, raterBarred, usernameKey } from '@lobbystats/contracts';
import { bothSides, RATINGS_AT_ONCE } from './known-people.ts';
import type { Ledger } from './ledger.ts';
import { isKnown } from './person.ts';
import type { RatingKey } from './rating.ts';
import { writeLedger, type Desk } from './write-ledger.ts';

/** `already`: there was nothing to do any more. `unknown`: there is no such rating or rater. */
export type ModerationOutcome = 'done' | 'already' | 'unknown';

/** What operators do to ratings. */
export class Moderation {
  readonly #desk: Desk;

  constructor(desk: Desk) {
    this.#desk = desk;
  }

  /**
   * Hides the comment that a rater has given to a profile, and each later one, until {@link show}. The stars count on. A
   * rating without a comment can be hidden, too: otherwise a rater could dodge it by taking the comment back for a moment.
   *
   * @param rater in any spelling, as `profile`
   * @throws AppError `unavailable` when it couldn't be made durable
   */
  hide(rater: string, profile: string): Promise<ModerationOutcome> {
    return this.#setHidden(rater, profile, true);
  }

  /** Shows the comment that a rater has given to a profile, and later ones, after {@link hide}. Arguments and errors are the same. */
  show(rater: string, profile: string): Promise<ModerationOutcome> {
    return this.#setHidden(rater, profile, false);
  }

  #setHidden(rater: string, profile: string, isHidden: boolean): Promise<ModerationOutcome> {
    const key = { profileKey: usernameKey(profile), raterKey: usernameKey(rater) };
    return writeLedger(this.#desk, bothSides([key]), (ledger) => {
      const rating = ledger.rating(key);
      const rated = ledger.person(key.profileKey);
      if (rating === undefined || !isKnown(rated)) return 'unknown';
      if (rating.isHidden === isHidden) return 'already';
      ledger.setRating({ ...rating, isHidden });
      const type = isHidden ? commentHidden : commentShown;
      ledger.say(type, { raterUsername: rating.raterUsername, username: rated.username });
      return 'done';
    });
  }

  /**
   * Bars somebody from rating: none of their ratings counts or shows any more. The ratings follow in many small changes;
   * what is cut off between two of them is finished by doing it again.
   *
   * @param rater in any spelling
   * @throws AppError `unavailable` when it couldn't be made durable: some of it may be
   */
  async bar(rater: string): Promise<ModerationOutcome> {
    const raterKey = usernameKey(rater);
    let outcome = await this.#refuse(raterKey);
    let after: string | undefined;
    while (outcome !== 'unknown') {
      const keys = await this.#desk.store.ratingsBy(raterKey, { after, limit: RATINGS_AT_ONCE });
      const change = (ledger: Ledger) => discount(ledger, raterKey, keys);
      if (await writeLedger(this.#desk, bothSides(keys), change)) outcome = 'done';
      if (keys.length < RATINGS_AT_ONCE) break;
      await this.#desk.pause();
      after = keys.at(-1)?.profileKey;
    }
    return outcome;
  }

  /** From here on they rate nobody: so all that they have rated is there to be seen afterwards. */
  #refuse(raterKey: string): Promise<ModerationOutcome> {
    return writeLedger(this.#desk, { people: [raterKey] }, (ledger) => {
      const rater = ledger.person(raterKey);
      if (rater === undefined) return 'unknown';
      if (rater.isBarred) return 'already';
      ledger.putPerson({ ...rater, isBarred: true });
      if (rater.ratingsGiven === 0) ledger.say(raterBarred, { raterUsername: rater.username, profiles: [] });
      return 'done';
    });
  }
}

/** Takes ratings out of the counters; tells whether there were any in them. */
function discount(ledger: Ledger, raterKey: string, keys: readonly RatingKey[]): boolean {
  const rater = ledger.person(raterKey);
  const counted = keys.flatMap((key) => ledger.rating(key) ?? []).filter(({ counts }) => counts);
  if (rater === undefined || counted.length === 0) return false;
  for (const rating of counted) ledger.setRating({ ...rating, counts: false });
  const profiles = counted.map(({ profileKey }) => ledger.person(profileKey)).filter(isKnown);
  ledger.say(raterBarred, { raterUsername: rater.username, profiles: profiles.map(({ username }) => username) });
  for (const { key } of profiles) ledger.sayRated(key);
  return true;
}
