import { formatTimestamp, usernameKey } from '@lobbystats/contracts';
import type { LedgerDeps } from './ledger.ts';
import { totalsOf } from './rated-user.ts';
import { RATINGS_PER_BATCH } from './rated-users.ts';
import { isGiven, type Rating } from './rating.ts';

/**
 * Everything that an erasure of the user would remove. The exception is a removed rating with a report: the report
 * belongs to the rated user, and its rater is not notified.
 *
 * @throws AppError `unavailable` when the store is unavailable
 */
export async function exportRatings(username: string, { store, pause }: Pick<LedgerDeps, 'store' | 'pause'>) {
  const key = usernameKey(username);
  const user = await store.readUser(key);
  const given = await readAll('profileKey', (page) => store.namedRatingsBy(key, page), pause);
  const received = await readAll('raterKey', (page) => store.ratingsOf(key, page), pause);
  return {
    isBarred: user?.isBarred ?? false,
    ...totalsOf(user ?? { ratingCount: 0, starSum: 0 }),
    given: given
      .filter((rating) => rating.isHidden || isGiven(rating))
      .map((rating) => ({ username: rating.profileUsername, ...storedView(rating) })),
    received: received.map((rating) => ({
      raterUsername: rating.raterUsername,
      ...storedView(rating),
      report: reportView(rating),
    })),
  };
}

/** Pages by key: a rating that arrives meanwhile moves no other to another page. */
async function readAll<One extends Rating>(
  side: 'profileKey' | 'raterKey',
  read: (page: { after: string | undefined; limit: number }) => Promise<readonly One[]>,
  pause: () => Promise<void>,
): Promise<One[]> {
  const all: One[] = [];
  let batch: readonly One[];
  do {
    batch = await read({ after: all.at(-1)?.[side], limit: RATINGS_PER_BATCH });
    all.push(...batch);
    await pause();
  } while (batch.length > 0);
  return all;
}

function storedView(rating: Rating) {
  const { stars, comment, createdAt, counts, isHidden } = rating;
  const isRemoved = !isGiven(rating);
  return {
    stars: isRemoved ? null : stars,
    comment,
    createdAt: isRemoved ? null : formatTimestamp(createdAt),
    counts,
    isHidden,
  };
}

function reportView({ reportedAt, reportReason, reportedComment }: Rating) {
  if (reportedAt === null) return null;
  return { comment: reportedComment, reason: reportReason, reportedAt: formatTimestamp(reportedAt) };
}
