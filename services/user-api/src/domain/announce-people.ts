import { nextRevision, USERS_PER_FACT } from '@lobbystats/contracts';
import { AppError } from '@lobbystats/errors';
import { peopleFacts } from './people-facts.ts';
import type { UserStore } from './user-store.ts';
import { NOTHING_WORKED_OUT } from './worked-out.ts';

/** Retries while others commit. */
const MAX_ATTEMPTS = 100;
/** Pause between batches, in milliseconds, for a running service. */
const REST_MS = 20;

export interface AnnounceOptions {
  store: UserStore;
  clock: () => number;
  /** The network whose people they are. */
  origin: string;
  onProgress: (people: number) => void;
}

/**
 * Publishes all users again, as facts of the past, for services that lost data. Idempotent. Returns the number of users.
 *
 * @returns how many people there are
 * @throws AppError `unavailable` when the store can't be had, or others never leave it: some are announced then
 */
export async function announcePeople(options: AnnounceOptions): Promise<number> {
  let people = 0;
  let after: string | undefined;
  do {
    const batch = await announceBatch(after, options);
    people += batch.people;
    after = batch.last;
    if (batch.people > 0) options.onProgress(people);
  } while (after !== undefined);
  return people;
}

/**
 * Returns the number of users and the last key; undefined at the end.
 *
 * @returns how many people are announced, and the key of the last of them; undefined: there are no more
 */
async function announceBatch(after: string | undefined, { store, clock, origin }: AnnounceOptions) {
  for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt += 1) {
    // Read first: a concurrent rename makes the commit stale.
    const expectedRevision = await store.revision();
    const named = await store.usersAfter(after, USERS_PER_FACT);
    const last = named.length < USERS_PER_FACT ? undefined : named.at(-1)?.key;
    if (named.length === 0) return { people: 0, last };
    const revision = nextRevision(expectedRevision, clock());
    const about = { origin, revision, occurredAt: Math.floor(clock() / 1000), past: true };
    const facts = peopleFacts({ ...NOTHING_WORKED_OUT, named }, about);
    const isDone = await store.commit({ expectedRevision, revision, facts });
    await rest();
    if (isDone) return { people: named.length, last };
  }
  throw new AppError('unavailable', 'The people are being changed by too many at once');
}

function rest(): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, REST_MS);
  });
}
