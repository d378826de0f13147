import { nextRevision, USERS_PER_FACT } from '@lobbystats/contracts';
import { AppError } from '@lobbystats/errors';
import { peopleFacts } from './people-facts.ts';
import type { UserStore } from './user-store.ts';
import { NOTHING_WORKED_OUT } from './worked-out.ts';

/** How often a batch is read anew while others commit. */
const MAX_ATTEMPTS = 100;
/** The rest after each attempt, in milliseconds: in between a running service has its turn. */
const REST_MS = 20;

export interface AnnounceOptions {
  store: UserStore;
  /** Epoch milliseconds. */
  clock: () => number;
  /** The network whose people they are. */
  origin: string;
  /** Told how many people are announced by now, after each commit. */
  onProgress: (people: number) => void;
}

/**
 * Tells the other services of everybody, as if they were new, for those that have lost what they were told. It may be cut
 * off and begun again at will. The facts are of the past: they are no news.
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

/** @returns how many people are announced, and the key of the last of them; undefined: there are no more */
async function announceBatch(after: string | undefined, { store, clock, origin }: AnnounceOptions) {
  for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt += 1) {
    // First of all: who is renamed behind it makes the commit stale.
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
