import { usernameKey } from '@lobbystats/contracts';
import { CommitQueue } from './commit-queue.ts';
import { isKnown } from './person.ts';
import { rateProfiles, readsOf, type RatingOutcome, type RatingWish } from './rate-profiles.ts';
import type { ProfileReading } from './reputation-store.ts';
import { writeLedger, type Desk } from './write-ledger.ts';

/** A larger commit would delay other requests. */
const TOGETHER = 250;
/** Few large commits cost less than many small ones. */
const GATHER_MS = 10;
/** About a second of work. */
const WAITING = 5000;

export interface RatingsOptions extends Desk {
  readonly elapsedMs: () => number;
  readonly answerWithinMs: number;
  readonly onRated: (outcomes: readonly RatingOutcome[]) => void;
}

export class Ratings {
  readonly #options: RatingsOptions;
  readonly #queue: CommitQueue<RatingWish, RatingOutcome>;

  constructor(options: RatingsOptions) {
    const { pause, elapsedMs, answerWithinMs } = options;
    this.#options = options;
    this.#queue = new CommitQueue({
      commit: (wishes) => this.#commit(wishes),
      pause,
      elapsedMs,
      gatherMs: GATHER_MS,
      together: TOGETHER,
      waiting: WAITING,
      withinMs: answerWithinMs,
    });
  }

  /** @throws AppError `unavailable` when that couldn't be done in time: nothing has changed, or all of it */
  rate(wish: Omit<RatingWish, 'profileKey' | 'raterKey'> & { username: string }): Promise<RatingOutcome> {
    const { username, raterUsername, stars, comment } = wish;
    const profileKey = usernameKey(username);
    return this.#queue.add({ profileKey, raterKey: usernameKey(raterUsername), raterUsername, stars, comment });
  }

  async read(question: {
    username: string;
    feedbackLimit: number;
    viewer: string | undefined;
  }): Promise<ProfileReading | undefined> {
    const { username, feedbackLimit, viewer } = question;
    const viewerKey = viewer === undefined ? undefined : usernameKey(viewer);
    const profileKey = usernameKey(username);
    const reading = await this.#options.store.readProfile({ profileKey, feedbackLimit, viewerKey });
    return isKnown(reading?.profile) ? reading : undefined;
  }

  async #commit(wishes: readonly RatingWish[]): Promise<readonly RatingOutcome[]> {
    const { answerWithinMs, onRated } = this.#options;
    const outcomes = await writeLedger(
      this.#options,
      readsOf(wishes),
      (ledger) => rateProfiles(ledger, wishes),
      answerWithinMs,
    );
    onRated(outcomes);
    return outcomes;
  }
}
