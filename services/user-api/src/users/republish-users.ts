import { nextRevision, USERS_PER_FACT } from '@lobbystats/contracts';
import { AppError } from '@lobbystats/contracts/errors';
import { userFacts, EMPTY_PLAN } from './user-commit-plan.ts';
import type { UserStore } from './user-store.ts';

/** Attempts while other commits conflict. */
const MAX_ATTEMPTS = 100;
/** Pause between batches, in milliseconds, for a running service. */
const PAUSE_MS = 20;

export interface RepublishOptions {
  store: UserStore;
  clock: () => number;
  /** The network of the users. */
  origin: string;
  onProgress: (userCount: number) => void;
}

/**
 * Publishes all users again, as facts of the past, for services that lost data. Idempotent. Returns the number of users.
 *
 * @throws AppError `unavailable` when the store is unavailable or conflicts never end; some users may be published then
 */
export async function republishUsers(options: RepublishOptions): Promise<number> {
  let userCount = 0;
  let after: string | undefined;
  do {
    const batch = await republishBatch(after, options);
    userCount += batch.users;
    after = batch.last;
    if (batch.users > 0) options.onProgress(userCount);
  } while (after !== undefined);
  return userCount;
}

/** Returns the number of published users and the last key; undefined at the end. */
async function republishBatch(after: string | undefined, { store, clock, origin }: RepublishOptions) {
  for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt += 1) {
    // Read first: a concurrent rename makes the commit stale.
    const expectedRevision = await store.revision();
    const named = await store.usersAfter(after, USERS_PER_FACT);
    const last = named.length < USERS_PER_FACT ? undefined : named.at(-1)?.key;
    if (named.length === 0) return { users: 0, last };
    const revision = nextRevision(expectedRevision, clock());
    const about = { origin, revision, occurredAt: Math.floor(clock() / 1000), past: true };
    const facts = userFacts({ ...EMPTY_PLAN, named }, about, about.occurredAt);
    const isDone = await store.commit({ expectedRevision, revision, facts });
    await pause();
    if (isDone) return { users: named.length, last };
  }
  throw new AppError('unavailable', 'The users are being changed by too many at once');
}

function pause(): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, PAUSE_MS);
  });
}
