import { usernameKey } from '@lobbystats/contracts';
import { GroupCommitQueue } from '@lobbystats/service-kit/concurrency';
import { isKnown } from './rated-user.ts';
import { rateProfiles, type RatingOutcome, type RatingRequest } from './rate-profiles.ts';
import type { ProfileReading } from '../database/reputation-store.ts';
import type { LedgerDeps } from './ledger.ts';

/** A larger commit would delay other requests. */
const MAX_BATCH = 250;
/** Few large commits cost less than many small ones. */
const MAX_DELAY_MS = 10;
/** About a second of work. */
const MAX_PENDING = 5000;

interface Count {
  inc(): void;
}

export interface RatingsOptions extends LedgerDeps {
  readonly timeoutMs: number;
  readonly counts?: Readonly<Record<'commits' | 'rated' | 'refused', Count>>;
  /** Runs after each commit. */
  readonly onRated: () => void;
}

export class Ratings {
  readonly #options: RatingsOptions;
  readonly #queue: GroupCommitQueue<RatingRequest, RatingOutcome>;

  constructor(options: RatingsOptions) {
    this.#options = options;
    this.#queue = new GroupCommitQueue({
      commit: (requests) => this.#commit(requests),
      maxDelayMs: MAX_DELAY_MS,
      maxBatch: MAX_BATCH,
      maxPending: MAX_PENDING,
      items: 'ratings',
      timeoutMs: options.timeoutMs,
    });
  }

  /** @throws AppError `unavailable` on a timeout; the rating may be stored nevertheless */
  rate(request: Omit<RatingRequest, 'profileKey' | 'raterKey'> & { username: string }): Promise<RatingOutcome> {
    const { username, raterUsername, stars, comment } = request;
    const profileKey = usernameKey(username);
    return this.#queue.add({ profileKey, raterKey: usernameKey(raterUsername), raterUsername, stars, comment });
  }

  async read(query: {
    username: string;
    feedbackLimit: number;
    feedbackOffset?: number | undefined;
    viewer: string | undefined;
  }): Promise<ProfileReading | undefined> {
    const { username, viewer, ...page } = query;
    const viewerKey = viewer === undefined ? undefined : usernameKey(viewer);
    const profileKey = usernameKey(username);
    const reading = await this.#options.store.readProfile({ profileKey, ...page, viewerKey });
    return isKnown(reading?.profile) ? reading : undefined;
  }

  async #commit(requests: readonly RatingRequest[]): Promise<readonly RatingOutcome[]> {
    const outcomes = await rateProfiles(this.#options, requests, this.#options.timeoutMs);
    const { counts, onRated } = this.#options;
    counts?.commits.inc();
    for (const outcome of outcomes) counts?.['refused' in outcome ? 'refused' : 'rated'].inc();
    onRated();
    return outcomes;
  }
}
