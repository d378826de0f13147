import type { Ledger } from './ledger.ts';
import { isKnown, isSameUser, createRatedUser, type RatedUser } from './rated-user.ts';
import { ratingId, type Rating } from './rating.ts';
import type { Reads } from './reputation-store.ts';

export interface RatingRequest {
  readonly profileKey: string;
  readonly raterKey: string;
  readonly raterUsername: string;
  readonly stars: number;
  readonly comment: string | null;
}

/** `unknown`: no such profile. `self`: own profile. `barred`: barred or erased rater. */
export type Refusal = 'unknown' | 'self' | 'barred';

export type RatingOutcome = { readonly rating: Rating; readonly profile: RatedUser } | { readonly refused: Refusal };

export function readsOf(wishes: readonly RatingRequest[]): Reads {
  const people = new Set(wishes.flatMap(({ profileKey, raterKey }) => [profileKey, raterKey]));
  const ratings = new Map(wishes.map((wish) => [ratingId(wish), wish]));
  const raters = new Set(wishes.map(({ raterKey }) => raterKey));
  return { users: [...people], ratings: [...ratings.values()], maybeErased: [...raters] };
}

export function rateProfiles(ledger: Ledger, wishes: readonly RatingRequest[]): RatingOutcome[] {
  return wishes.map((wish) => rateProfile(ledger, wish));
}

function rateProfile(ledger: Ledger, wish: RatingRequest): RatingOutcome {
  const { profileKey, raterKey, raterUsername, stars, comment } = wish;
  const profile = ledger.user(profileKey);
  const rater = ledger.user(raterKey) ?? createRatedUser(raterKey, raterUsername);
  if (!isKnown(profile)) return { refused: 'unknown' };
  if (isSameUser(profile, rater)) return { refused: 'self' };
  if (rater.isBarred || ledger.isErased(raterKey)) return { refused: 'barred' };

  ledger.putUser(rater);
  const rating: Rating = {
    profileKey,
    raterKey,
    raterUsername: rater.username,
    stars,
    comment,
    // Hiding covers later comments.
    isHidden: ledger.rating(wish)?.isHidden ?? false,
    counts: true,
    createdAt: ledger.now,
  };
  ledger.setRating(rating);
  ledger.addRatingFact(profileKey, raterKey);
  return { rating, profile: ledger.user(profileKey) ?? profile };
}
