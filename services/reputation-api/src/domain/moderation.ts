import { commentHidden, commentShown, raterBarred, usernameKey } from '@lobbystats/contracts';
import { bothSides, RATINGS_AT_ONCE } from './known-people.ts';
import type { Ledger } from './ledger.ts';
import { isKnown } from './person.ts';
import type { RatingKey } from './rating.ts';
import { writeLedger, type Desk } from './write-ledger.ts';

export type ModerationOutcome = 'done' | 'already' | 'unknown';

export class Moderation {
  readonly #desk: Desk;

  constructor(desk: Desk) {
    this.#desk = desk;
  }

  /**
   * Hides a rater's comments on a profile until {@link show}; stars still count. Works without a comment too, or
   * removing it for a moment would evade this.
   *
   * @param rater in any spelling, as `profile`
   * @throws AppError `unavailable` when it couldn't be made durable
   */
  hide(rater: string, profile: string): Promise<ModerationOutcome> {
    return this.#setHidden(rater, profile, true);
  }

  /** Reverts {@link hide}. */
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
   * Bars a rater: none of their ratings count or show. Applied in small changes; repeat it to complete an interrupted
   * run.
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
