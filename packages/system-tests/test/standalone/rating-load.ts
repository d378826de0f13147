import { operations, usernameKey } from '@lobbystats/contracts';
import { eventually, getJson } from '@lobbystats/test-kit';
import { waitUntil } from '../faults/wait.ts';
import type { SignedInUser, Reputation } from './sign-in.ts';
import { pathTo } from './sign-in.ts';

/** The acknowledged and unconfirmed stars of one rater for one profile. */
export interface SentRating {
  readonly rater: string;
  readonly profile: string;
  /** The stars that were acknowledged last. */
  acknowledged: number | undefined;
  /** Stars that were sent later without a definite response. */
  readonly unconfirmed: Set<number>;
}

interface RatingLoadOptions {
  /** Pause between the ratings of a session. Default: none. */
  readonly everyMs?: number;
  /** Called with the status of each response; undefined: there was none. */
  readonly onOutcome?: (status: number | undefined) => void;
}

/** Continuous ratings by several sessions, sequential per session, until `stop`. */
export class RatingLoad {
  readonly ratings = new Map<string, SentRating>();
  /** Number of acknowledged ratings. */
  acknowledged = 0;
  #url = '';
  /** Resolved while the site is up. */
  #up = Promise.withResolvers<undefined>();
  #stopped = false;
  readonly #running: Promise<void>[];
  readonly #options: RatingLoadOptions;

  /** @param profiles rated by each rater in rotation */
  constructor(raters: readonly SignedInUser[], profiles: readonly string[], options: RatingLoadOptions = {}) {
    this.#options = options;
    this.#running = raters.map((rater, offset) => this.#rate(rater, profiles, offset));
  }

  /** Sets the URL of the site; "" while it is down. */
  setUrl(url: string): void {
    this.#url = url;
    if (url === '') this.#up = Promise.withResolvers<undefined>();
    else this.#up.resolve(undefined);
  }

  /** Waits until so many more ratings are acknowledged. */
  async acknowledge(more: number, patience?: Parameters<typeof eventually>[1]): Promise<void> {
    const before = this.acknowledged;
    const isEnough = (): void => {
      const done = this.acknowledged - before;
      if (done <= more) throw new Error(`${done} of more than ${more} ratings are acknowledged`);
    };
    await eventually(isEnough, patience);
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    this.#up.resolve(undefined);
    await Promise.all(this.#running);
  }

  async #rate(
    { username: rater, sessionKey }: SignedInUser,
    profiles: readonly string[],
    offset: number,
  ): Promise<void> {
    const others = profiles.filter((profile) => usernameKey(profile) !== usernameKey(rater));
    for (let index = offset; ; index += 1) {
      await this.#up.promise;
      if (this.#stopped) return;
      const profile = others[index % others.length] ?? '';
      await this.#rateOnce({ rater, sessionKey, profile, stars: 1 + ((index * 7 + offset) % 5) });
      if (this.#options.everyMs !== undefined) await waitUntil(Date.now() + this.#options.everyMs);
    }
  }

  async #rateOnce(one: { rater: string; sessionKey: string; profile: string; stars: number }): Promise<void> {
    const { rater, sessionKey, profile, stars } = one;
    const key = `${rater}\n${profile}`;
    const sentRating = this.ratings.get(key) ?? { rater, profile, acknowledged: undefined, unconfirmed: new Set() };
    this.ratings.set(key, sentRating);
    const status = await getJson(this.#url + pathTo(operations.rateProfile.path, profile), {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', 'X-Session-Key': sessionKey },
      body: JSON.stringify({ stars }),
    }).then(
      (answer) => answer.status,
      () => undefined,
    );
    this.#options.onOutcome?.(status);
    if (status === 200) {
      this.acknowledged += 1;
      sentRating.acknowledged = stars;
      sentRating.unconfirmed.clear();
    } else if (status === undefined || status >= 500) sentRating.unconfirmed.add(stars);
    else if (status !== 404) throw new Error(`a rating is answered with ${status}`);
  }
}

/** Fails unless every profile has each acknowledged rating once, with correct totals. Returns the number of ratings by rater. */
export async function expectAcknowledgedRatings(
  url: string,
  sentRatings: Iterable<SentRating>,
): Promise<Map<string, number>> {
  const ratingsGiven = new Map<string, number>();
  for (const [profile, ofProfile] of Map.groupBy(sentRatings, (one) => one.profile)) {
    const { status, body } = await getJson<Reputation>(
      `${url}${pathTo(operations.getReputation.path, profile)}?feedbackLimit=30`,
    );
    expect([profile, status]).toEqual([profile, 200]);
    const stars = new Map(body.feedback.map((rating) => [rating.raterUsername, rating.stars]));
    expect(stars.size).toBe(body.feedback.length);
    for (const { rater, acknowledged, unconfirmed } of ofProfile) {
      const possible = [acknowledged, ...unconfirmed];
      const has = stars.get(rater);
      expect({
        profile,
        rater,
        has,
        possible,
        isPossible: possible.includes(has) || (has === undefined && acknowledged === undefined),
      }).toEqual({ profile, rater, has, possible, isPossible: true });
      if (has !== undefined) ratingsGiven.set(rater, (ratingsGiven.get(rater) ?? 0) + 1);
    }
    const sum = body.feedback.reduce((total, rating) => total + rating.stars, 50);
    const votes = 10 + body.feedback.length;
    expect(body).toMatchObject({
      ratingCount: body.feedback.length,
      effectiveVotes: votes,
      priorOnly: votes === 10,
      average: Math.round((100 * sum) / votes) / 100,
    });
  }
  return ratingsGiven;
}
