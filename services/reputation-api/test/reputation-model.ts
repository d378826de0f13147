import type { RatedUser } from '../src/domain/rated-user.ts';

/** An operation on ratings; users are given by index. */
export type Move =
  | { kind: 'rate'; rater: number; profile: number; stars: number; comment: string | null }
  | { kind: 'hide' | 'show' | 'remove'; rater: number; profile: number }
  | { kind: 'bar'; rater: number }
  | { kind: 'forget'; rater: number }
  | { kind: 'know'; rater: number; gamertag: string };

export interface ModelRating {
  stars: number;
  comment: string | null;
  isHidden: boolean;
  /** Only the hiding of its comment remains. */
  isRemoved: boolean;
}

/** Reference model: one map of ratings, from which everything is computed. */
export class ReputationModel {
  readonly names: readonly string[];
  readonly #known = new Map<string, string>();
  readonly #barred = new Set<string>();
  readonly #forgotten = new Set<string>();
  readonly #ratings = new Map<string, Map<string, ModelRating>>();

  constructor(names: readonly string[]) {
    this.names = names;
  }

  /** Returns `done`, or the reason why the operation is rejected. */
  make(move: Move): string {
    const rater = this.#name(move.rater);
    switch (move.kind) {
      case 'know':
        if (!this.#forgotten.has(rater)) this.#known.set(rater, move.gamertag);
        return 'done';
      case 'forget':
        this.#known.delete(rater);
        this.#barred.delete(rater);
        this.#forgotten.add(rater);
        this.#ratings.delete(rater);
        for (const byRater of this.#ratings.values()) byRater.delete(rater);
        return 'done';
      case 'bar': {
        if (!this.#known.has(rater) && !this.#barred.has(rater) && this.countRatingsBy(rater) === 0) return 'unknown';
        if (this.#barred.has(rater)) return 'already';
        this.#barred.add(rater);
        return 'done';
      }
      case 'hide':
      case 'show':
        return this.#setHidden(rater, this.#name(move.profile), move.kind === 'hide');
      case 'remove':
        return this.#remove(rater, this.#name(move.profile));
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
    rating.isHidden = isHidden;
    if (rating.isRemoved) this.#ratings.get(profile)?.delete(rater);
    return 'done';
  }

  #remove(rater: string, profile: string): string {
    const rating = this.#ratings.get(profile)?.get(rater);
    if (!this.#known.has(profile)) return 'unknown';
    if (rating === undefined || rating.isRemoved) return 'unrated';
    if (rating.isHidden) rating.isRemoved = true;
    else this.#ratings.get(profile)?.delete(rater);
    return 'done';
  }

  #rate(rater: string, profile: string, { stars, comment }: { stars: number; comment: string | null }): string {
    const [raterTag, profileTag] = [this.#known.get(rater), this.#known.get(profile)];
    if (profileTag === undefined) return 'unknown';
    if (rater === profile || (profileTag !== '' && raterTag === profileTag)) return 'self';
    if (this.#barred.has(rater) || this.#forgotten.has(rater)) return 'barred';
    const received = this.#ratings.get(profile) ?? new Map<string, ModelRating>();
    this.#ratings.set(profile, received);
    received.set(rater, { stars, comment, isHidden: received.get(rater)?.isHidden ?? false, isRemoved: false });
    return 'done';
  }

  #name(index: number): string {
    return this.names[index] ?? '';
  }
}
