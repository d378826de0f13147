import { commentHidden, commentShown, formatTimestamp, raterBarred, usernameKey } from '@lobbystats/contracts';
import { RATINGS_PER_BATCH } from '../ratings/rated-users.ts';
import { isKnown } from '../ratings/rated-user.ts';
import { isGiven, needsMarker, NO_REPORT, type NamedRating, type Rating, type RatingKey } from '../ratings/rating.ts';
import { readsOf, writeLedger, type Ledger, type LedgerDeps } from '../ratings/ledger.ts';

/** The oldest reports; others follow once these are settled. */
const REPORTS_MAX = 100;

export type ModerationOutcome = 'done' | 'already' | 'unknown' | 'changed';

export class Moderation {
  readonly #deps: LedgerDeps;

  constructor(deps: LedgerDeps) {
    this.#deps = deps;
  }

  /**
   * Hides a rater's comments on a profile until {@link show}; stars still count. Works without a comment too, or
   * removing it for a moment would evade this.
   *
   * @throws AppError `unavailable` when the store is unavailable
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
    return writeLedger(this.#deps, readsOf([key]), (ledger) => {
      const rating = ledger.rating(key);
      const rated = ledger.user(key.profileKey);
      if (rating === undefined || !isKnown(rated)) return 'unknown';
      if (rating.isHidden === isHidden) return 'already';
      keep(ledger, { ...rating, ...NO_REPORT, isHidden });
      const type = isHidden ? commentHidden : commentShown;
      ledger.addFact(type, { raterUsername: rating.raterUsername, username: rated.username });
      return 'done';
    });
  }

  /** Open reports of comments. {@link hide}, {@link bar} and {@link dismiss} settle them. */
  reports(): Promise<NamedRating[]> {
    return this.#deps.store.reportedRatings(REPORTS_MAX);
  }

  /**
   * Settles a report without hiding the comment.
   *
   * @param shown timestamp of the report that was listed; `changed` when the user has reported another text since
   */
  dismiss(rater: string, profile: string, shown?: string): Promise<ModerationOutcome> {
    const key = { profileKey: usernameKey(profile), raterKey: usernameKey(rater) };
    return writeLedger(this.#deps, readsOf([key]), (ledger) => {
      const rating = ledger.rating(key);
      if (rating === undefined || !(isGiven(rating) || isReported(rating))) return 'unknown';
      if (!isReported(rating)) return 'already';
      if (shown !== undefined && formatTimestamp(rating.reportedAt ?? 0) !== shown) return 'changed';
      keep(ledger, { ...rating, ...NO_REPORT });
      return 'done';
    });
  }

  /**
   * Bars a rater: none of their ratings count or show. Applied in small changes; repeat it to complete an interrupted
   * run.
   *
   * @throws AppError `unavailable` when the store is unavailable; the bar may be incomplete
   */
  async bar(rater: string): Promise<ModerationOutcome> {
    return this.#barOrUnbar(rater, true);
  }

  /** Reverts {@link bar}: the rater may rate again, and the ratings count and show. Comments that are hidden stay so. */
  async unbar(rater: string): Promise<ModerationOutcome> {
    return this.#barOrUnbar(rater, false);
  }

  async #barOrUnbar(rater: string, isBarred: boolean): Promise<ModerationOutcome> {
    const raterKey = usernameKey(rater);
    let outcome = await this.#setBarred(raterKey, isBarred);
    let after: string | undefined;
    while (outcome !== 'unknown') {
      const keys = await this.#deps.store.ratingsBy(raterKey, { after, limit: RATINGS_PER_BATCH });
      const change = (ledger: Ledger) =>
        isBarred ? discountRatings(ledger, raterKey, keys) : countRatings(ledger, raterKey, keys);
      if (await writeLedger(this.#deps, readsOf(keys), change)) outcome = 'done';
      if (keys.length < RATINGS_PER_BATCH) break;
      await this.#deps.pause();
      after = keys.at(-1)?.profileKey;
    }
    return outcome;
  }

  #setBarred(raterKey: string, isBarred: boolean): Promise<ModerationOutcome> {
    return writeLedger(this.#deps, { users: [raterKey] }, (ledger) => {
      const rater = ledger.user(raterKey);
      if (rater === undefined) return 'unknown';
      if (rater.isBarred === isBarred) return 'already';
      ledger.putUser({ ...rater, isBarred });
      if (isBarred && rater.ratingsGiven === 0)
        ledger.addFact(raterBarred, { raterUsername: rater.username, profiles: [] });
      return 'done';
    });
  }
}

function discountRatings(ledger: Ledger, raterKey: string, keys: readonly RatingKey[]): boolean {
  const rater = ledger.user(raterKey);
  const ratings = keys.flatMap((key) => ledger.rating(key) ?? []);
  for (const rating of ratings.filter(isReported)) keep(ledger, { ...rating, ...NO_REPORT });
  const counted = ratings.filter(({ counts }) => counts);
  if (rater === undefined || counted.length === 0) return false;
  for (const rating of counted) ledger.setRating({ ...rating, ...NO_REPORT, counts: false });
  const profiles = counted.map(({ profileKey }) => ledger.user(profileKey)).filter(isKnown);
  ledger.addFact(raterBarred, { raterUsername: rater.username, profiles: profiles.map(({ username }) => username) });
  for (const { key } of profiles) ledger.addRatingFact(key);
  return true;
}

function countRatings(ledger: Ledger, raterKey: string, keys: readonly RatingKey[]): boolean {
  // A bar that came meanwhile has the last word.
  if (ledger.user(raterKey)?.isBarred !== false) return false;
  const discounted = keys.flatMap((key) => ledger.rating(key) ?? []).filter((one) => isGiven(one) && !one.counts);
  for (const rating of discounted) {
    ledger.setRating({ ...rating, counts: true });
    ledger.addRatingFact(rating.profileKey);
  }
  return discounted.length > 0;
}

function isReported({ reportedAt }: Rating): boolean {
  return reportedAt !== null;
}

/** A marker of a removed rating without a reason is removed. */
function keep(ledger: Ledger, rating: Rating): void {
  if (isGiven(rating) || needsMarker(rating)) ledger.setRating(rating);
  else ledger.removeRating(rating);
}
