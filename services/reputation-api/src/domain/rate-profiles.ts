import type { Ledger } from './ledger.ts';
import { isKnown, isSamePerson, newPerson, type Person } from './person.ts';
import { ratingId, type Rating } from './rating.ts';
import type { Reads } from './reputation-store.ts';

export interface RatingWish {
  readonly profileKey: string;
  readonly raterKey: string;
  readonly raterUsername: string;
  readonly stars: number;
  readonly comment: string | null;
}

/** `unknown`: no such profile. `self`: own profile. `barred`: barred or erased rater. */
export type Refusal = 'unknown' | 'self' | 'barred';

export type RatingOutcome = { readonly rating: Rating; readonly profile: Person } | { readonly refused: Refusal };

export function readsOf(wishes: readonly RatingWish[]): Reads {
  const people = new Set(wishes.flatMap(({ profileKey, raterKey }) => [profileKey, raterKey]));
  const ratings = new Map(wishes.map((wish) => [ratingId(wish), wish]));
  const raters = new Set(wishes.map(({ raterKey }) => raterKey));
  return { people: [...people], ratings: [...ratings.values()], mayBeForgotten: [...raters] };
}

export function rateProfiles(ledger: Ledger, wishes: readonly RatingWish[]): RatingOutcome[] {
  return wishes.map((wish) => rateProfile(ledger, wish));
}

function rateProfile(ledger: Ledger, wish: RatingWish): RatingOutcome {
  const { profileKey, raterKey, raterUsername, stars, comment } = wish;
  const profile = ledger.person(profileKey);
  const rater = ledger.person(raterKey) ?? newPerson(raterKey, raterUsername);
  if (!isKnown(profile)) return { refused: 'unknown' };
  if (isSamePerson(profile, rater)) return { refused: 'self' };
  if (rater.isBarred || ledger.isForgotten(raterKey)) return { refused: 'barred' };

  ledger.putPerson(rater);
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
  ledger.sayRated(profileKey, raterKey);
  return { rating, profile: ledger.person(profileKey) ?? profile };
}
