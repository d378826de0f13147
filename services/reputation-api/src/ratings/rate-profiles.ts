import { GroupCommitQueue } from '@lobbystats/service-kit/concurrency';
import { readsOf, writeLedger, type Ledger, type LedgerDeps } from './ledger.ts';
import { isKnown, isSameUser, createRatedUser, type RatedUser } from './rated-user.ts';
import { NO_REPORT, type Rating } from './rating.ts';

export interface RatingRequest {
  readonly profileKey: string;
  readonly raterKey: string;
  readonly raterUsername: string;
  readonly stars: number;
  readonly comment: string | null;
}

/** `unknown`: no such profile. `self`: own profile. `barred`, `erased`: of the rater. */
export type Refusal = 'unknown' | 'self' | 'barred' | 'erased';

export type RatingOutcome = { readonly rating: Rating; readonly profile: RatedUser } | { readonly refused: Refusal };

/** A larger commit would delay other requests. */
const MAX_BATCH = 250;
/** Few large commits cost less than many small ones. */
const MAX_DELAY_MS = 10;
/** About a second of work. */
const MAX_PENDING = 5000;

interface Count {
  inc(): void;
}

export interface RatingQueueOptions extends LedgerDeps {
  readonly timeoutMs: number;
  readonly counts?: Readonly<Record<'commits' | 'rated' | 'refused', Count>>;
  /** Runs after each commit. */
  readonly onRated: () => void;
}

export type RatingQueue = GroupCommitQueue<RatingRequest, RatingOutcome>;

/** Stores ratings that come in together in one commit. After a timeout, a rating may be stored nevertheless. */
export function createRatingQueue(options: RatingQueueOptions): RatingQueue {
  const { timeoutMs, counts, onRated } = options;
  return new GroupCommitQueue({
    commit: async (requests) => {
      const outcomes = await rateProfiles(options, requests, timeoutMs);
      counts?.commits.inc();
      for (const outcome of outcomes) counts?.['refused' in outcome ? 'refused' : 'rated'].inc();
      onRated();
      return outcomes;
    },
    maxDelayMs: MAX_DELAY_MS,
    maxBatch: MAX_BATCH,
    maxPending: MAX_PENDING,
    items: 'ratings',
    timeoutMs,
  });
}

/**
 * Stores ratings in one commit.
 *
 * @param withinMs see {@link writeLedger}
 * @throws AppError `unavailable` when the store is unavailable
 */
export function rateProfiles(
  deps: LedgerDeps,
  requests: readonly RatingRequest[],
  withinMs?: number,
): Promise<RatingOutcome[]> {
  const raters = new Set(requests.map(({ raterKey }) => raterKey));
  const reads = { ...readsOf(requests), maybeErased: [...raters] };
  return writeLedger(deps, reads, (ledger) => requests.map((request) => rateProfile(ledger, request)), withinMs);
}

function rateProfile(ledger: Ledger, request: RatingRequest): RatingOutcome {
  const { profileKey, raterKey, raterUsername, stars, comment } = request;
  const profile = ledger.user(profileKey);
  const rater = ledger.user(raterKey) ?? createRatedUser(raterKey, raterUsername);
  if (!isKnown(profile)) return { refused: 'unknown' };
  if (isSameUser(profile, rater)) return { refused: 'self' };
  if (ledger.isErased(raterKey)) return { refused: 'erased' };
  if (rater.isBarred) return { refused: 'barred' };

  ledger.putUser(rater);
  const before = ledger.rating(request);
  const { reportedAt, reportReason, reportedComment } = before ?? NO_REPORT;
  const rating: Rating = {
    profileKey,
    raterKey,
    raterUsername: rater.username,
    stars,
    comment,
    // Hiding covers later comments.
    isHidden: before?.isHidden ?? false,
    counts: true,
    createdAt: ledger.now,
    reportedAt,
    reportReason,
    reportedComment,
  };
  ledger.setRating(rating);
  ledger.addRatingFact(profileKey, raterKey);
  return { rating, profile: ledger.user(profileKey) ?? profile };
}
