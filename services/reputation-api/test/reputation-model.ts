import type { RatedUser } from '../src/ratings/rated-user.ts';

/** An operation on ratings; users are given by index. */
export type Move =
  | { kind: 'rate'; rater: number; profile: number; stars: number; comment: string | null }
  | { kind: 'hide' | 'show' | 'remove' | 'report' | 'dismiss'; rater: number; profile: number }
  | { kind: 'bar'; rater: number }
  | { kind: 'forget'; rater: number }
  | { kind: 'know'; rater: number; gamertag: string };

export interface ModelRating {
  stars: number;
  comment: string | null;
  isHidden: boolean;
  isReported: boolean;
  /** Only the hiding or the report of its comment remains. */
  isRemoved: boolean;
}

/** Reference model: one map of ratings, from which everything is computed. */
export class ReputationModel {
  readonly names: readonly string[];
  readonly #known = new Map<string, string>();
  readonly #barred = new Set<string>();
  readonly #erased = new Set<string>();
  readonly #ratings = new Map<string, Map<string, ModelRating>>();

  constructor(names: readonly string[]) {
    this.names = names;
  }

  /** Returns `done`, or the reason why the operation is rejected. */
  make(move: Move): string {
    const rater = this.#name(move.rater);
    switch (move.kind) {
      case 'know':
        if (!this.#erased.has(rater)) this.#known.set(rater, move.gamertag);
        return 'done';
      case 'forget':
        this.#known.delete(rater);
        this.#barred.delete(rater);
        this.#erased.add(rater);
        this.#ratings.delete(rater);
        for (const byRater of this.#ratings.values()) byRater.delete(rater);
        return 'done';
      case 'bar': {
        if (!this.#known.has(rater) && !this.#barred.has(rater) && this.countRatingsBy(rater) === 0) return 'unknown';
        if (this.#barred.has(rater)) return 'already';
        this.#barred.add(rater);
        for (const profile of this.names) this.#settle(rater, profile, {});
        return 'done';
      }
      case 'hide':
      case 'show':
        return this.#setHidden(rater, this.#name(move.profile), move.kind === 'hide');
      case 'remove':
        return this.#remove(rater, this.#name(move.profile));
      case 'report':
        return this.#report(rater, this.#name(move.profile));
      case 'dismiss': {
        const rating = this.#ratings.get(this.#name(move.profile))?.get(rater);
        if (rating === undefined || (rating.isRemoved && !rating.isReported)) return 'unknown';
        return rating.isReported ? this.#settle(rater, this.#name(move.profile), {}) : 'already';
      }
      case 'rate':
        return this.#rate(rater, this.#name(move.profile), move);
    }
  }

  isKnown(name: string): boolean {
    return this.#known.has(name);
  }

  /** Ratings that count, by rater. */
  received(profile: string): Map<string, ModelRating> {
    const all = [...(this.#ratings.get(profile) ?? [])];
    return new Map(all.filter(([rater, { isRemoved }]) => !isRemoved && !this.#barred.has(rater)));
  }

  /** All stored ratings of a profile by rater. */
  stored(profile: string): ReadonlyMap<string, ModelRating> {
    return this.#ratings.get(profile) ?? new Map();
  }

  /** Texts `rater: comment` of the reported comments on a profile. */
  reports(profile: string): string[] {
    const reported = [...this.stored(profile)].filter(([, { isReported, comment }]) => isReported && comment !== null);
    return reported.map(([rater, { comment }]) => `${rater}: ${comment}`).sort();
  }

  isBarred(name: string): boolean {
    return this.#barred.has(name);
  }

  countRatingsBy(rater: string): number {
    return [...this.#ratings.values()].filter((received) => received.get(rater)?.isRemoved === false).length;
  }

  /** Returns the expected counters of a user. */
  counters(name: string): Pick<RatedUser, 'ratingCount' | 'starSum' | 'ratingsGiven'> {
    const received = [...this.received(name).values()];
    return {
      ratingCount: received.length,
      starSum: received.reduce((sum, { stars }) => sum + stars, 0),
      ratingsGiven: this.countRatingsBy(name),
    };
  }

  #setHidden(rater: string, profile: string, isHidden: boolean): string {
    const rating = this.#ratings.get(profile)?.get(rater);
    if (rating === undefined) return 'unknown';
    if (rating.isHidden === isHidden) return 'already';
    return this.#settle(rater, profile, { isHidden });
  }

  /** Ends the report, and deletes a removed rating of which nothing remains then. */
  #settle(rater: string, profile: string, change: { isHidden?: boolean }): string {
    const rating = this.#ratings.get(profile)?.get(rater);
    if (rating === undefined) return 'unknown';
    Object.assign(rating, { isReported: false, ...change });
    if (rating.isRemoved && !rating.isHidden) this.#ratings.get(profile)?.delete(rater);
    return 'done';
  }

  #report(rater: string, profile: string): string {
    const rating = this.received(profile).get(rater);
    if (rating === undefined || rating.isHidden || rating.comment === null) return 'unknown';
    rating.isReported = true;
    return 'done';
  }

  #remove(rater: string, profile: string): string {
    const rating = this.#ratings.get(profile)?.get(rater);
    if (!this.#known.has(profile)) return 'unknown';
    if (rating === undefined || rating.isRemoved) return 'unrated';
    if (rating.isHidden || rating.isReported) Object.assign(rating, { isRemoved: true, comment: null });
    else this.#ratings.get(profile)?.delete(rater);
    return 'done';
  }

  #rate(rater: string, profile: string, { stars, comment }: { stars: number; comment: string | null }): string {
    const [raterTag, profileTag] = [this.#known.get(rater), this.#known.get(profile)];
    if (profileTag === undefined) return 'unknown';
    if (rater === profile || (profileTag !== '' && raterTag === profileTag)) return 'self';
    if (this.#erased.has(rater)) return 'erased';
    if (this.#barred.has(rater)) return 'barred';
    const received = this.#ratings.get(profile) ?? new Map<string, ModelRating>();
    this.#ratings.set(profile, received);
    const { isHidden, isReported } = received.get(rater) ?? { isHidden: false, isReported: false };
    received.set(rater, { stars, comment, isHidden, isReported, isRemoved: false });
    return 'done';
  }

  #name(index: number): string {
    return this.names[index] ?? '';
  }
}
