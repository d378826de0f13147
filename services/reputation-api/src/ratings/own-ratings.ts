import { usernameKey } from '@lobbystats/contracts';
import { exportRatings } from './export-ratings.ts';
import { isKnown, type RatedUser } from './rated-user.ts';
import { isGiven, needsMarker, ratingView, removedRatingMarker, type NamedRating } from './rating.ts';
import { readsOf, writeLedger, type Ledger, type LedgerDeps } from './ledger.ts';

export interface OwnRatingsOptions extends LedgerDeps {
  readonly timeoutMs: number;
  /** Runs after a change with facts. */
  readonly onChanged: () => void;
}

/** Ratings as seen by the user who has given or received them. */
export class OwnRatings {
  readonly #options: OwnRatingsOptions;

  constructor(options: OwnRatingsOptions) {
    this.#options = options;
  }

  /** Returns the profile without the rating. `unknown`: no such profile. `unrated`: the rater has not rated it. */
  async remove(rater: string, profile: string): Promise<RatedUser | 'unknown' | 'unrated'> {
    const key = { profileKey: usernameKey(profile), raterKey: usernameKey(rater) };
    const { timeoutMs, onChanged } = this.#options;
    const change = (ledger: Ledger) => {
      const rated = ledger.user(key.profileKey);
      const rating = ledger.rating(key);
      if (!isKnown(rated)) return 'unknown';
      if (!isGiven(rating)) return 'unrated';
      if (needsMarker(rating)) ledger.setRating(removedRatingMarker(rating));
      else ledger.removeRating(key);
      if (rating.counts) ledger.addRatingFact(key.profileKey);
      return ledger.user(key.profileKey) ?? rated;
    };
    const outcome = await writeLedger(this.#options, readsOf([key]), change, timeoutMs);
    if (typeof outcome !== 'string') onChanged();
    return outcome;
  }

  /** A page of the ratings given, newest first. */
  async given(rater: string, { limit, offset }: { limit: number; offset: number }) {
    const key = usernameKey(rater);
    const { store } = this.#options;
    const total = (await store.readUser(key))?.ratingsGiven ?? 0;
    const ratings = await store.ratingsGiven(key, { limit, offset });
    return { ratings: ratings.map(givenView), total, limit, offset, hasMore: offset + ratings.length < total };
  }

  /** Returns whether there is a visible comment of the rater to report. */
  async report(username: string, { rater, reason }: { rater: string; reason: string | null }): Promise<boolean> {
    const key = { profileKey: usernameKey(username), raterKey: usernameKey(rater) };
    const change = (ledger: Ledger) => {
      const rating = ledger.rating(key);
      if (rating?.counts !== true || rating.isHidden || rating.comment === null) return false;
      ledger.setRating({ ...rating, reportedAt: ledger.now, reportReason: reason, reportedComment: rating.comment });
      return true;
    };
    return writeLedger(this.#options, readsOf([key]), change, this.#options.timeoutMs);
  }

  export(username: string) {
    return exportRatings(username, this.#options);
  }
}

function givenView(rating: NamedRating) {
  return { username: rating.profileUsername, ...ratingView(rating), counts: rating.counts };
}
