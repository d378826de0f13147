import type { Ledger } from './ledger.ts';
import { isKnown, isSamePerson, newPerson, type Person } from './person.ts';
import { ratingId, type Rating } from './rating.ts';
import type { Reads } from './reputation-store.ts';

/** Somebody wants to rate somebody. */
export interface RatingWish {
  readonly profileKey: string;
  readonly raterKey: string;
  /** As their session spells it. */
  readonly raterUsername: string;
  readonly stars: number;
  readonly comment: string | null;
}

/** Why a rating isn't taken: nobody knows the profile, it is the rater's own, or the operators have barred or forgotten the rater. */
export type Refusal = 'unknown' | 'self' | 'barred';

/** A rating that was taken, and its profile with it. */
export type RatingOutcome = { readonly rating: Rating; readonly profile: Person } | { readonly refused: Refusal };

/** What has to be read for these wishes: of many on one profile, its people once. */
export function readsOf(wishes: readonly RatingWish[]): Reads {
  const people = new Set(wishes.flatMap(({ profileKey, raterKey }) => [profileKey, raterKey]));
  const ratings = new Map(wishes.map((wish) => [ratingId(wish), wish]));
  const raters = new Set(wishes.map(({ raterKey }) => raterKey));
  return { people: [...people], ratings: [...ratings.values()], mayBeForgotten: [...raters] };
}

/** Takes wishes one after the other, as if each had come alone. */
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
    // Operators hide what this rater comments on this profile, whatever the text: a new one is hidden as well.
    isHidden: ledger.rating(wish)?.isHidden ?? false,
    counts: true,
    createdAt: ledger.now,
  };
  ledger.setRating(rating);
  ledger.sayRated(profileKey, raterKey);
  return { rating, profile: ledger.person(profileKey) ?? profile };
}
