import { RefusalError } from '@lobbystats/errors';
import type { Secret } from '@lobbystats/service-kit';
import { keyedNameHash, openStore } from './context.ts';
import { announcePeople } from './domain/announce-people.ts';
import { forgetPerson, type Forgotten } from './domain/forget-person.ts';
import { hasKeyMark } from './domain/key-mark.ts';

export interface UserModerationOptions {
  /** `DATABASE_URL` of the service. */
  url: string;
  /** The network whose people they are. */
  origin: string;
  /** `FORGOTTEN_KEY` of the service; undefined: nobody can be forgotten. */
  forgottenKey: Secret | undefined;
  /** Epoch milliseconds. */
  clock: () => number;
}

/** What operators do about people, beside a running service or without one: it publishes the facts when it runs. */
export interface UserModeration {
  /**
   * @throws RefusalError for another key than user-api has: it would make them anew
   * @throws AppError `unavailable` when the store can't be read or written now
   */
  forget(username: string): Promise<Forgotten>;
  /**
   * Tells the other services of everybody again.
   *
   * @param onProgress told how many people are announced by now
   * @returns how many people there are
   * @throws AppError `unavailable` when the store can't be read or written now: some are announced then
   */
  announce(onProgress: (people: number) => void): Promise<number>;
  close(): Promise<void>;
}

/** A command has time: between two commits of a busy service there is always room. */
const LOCKED_FOR_MS = 5000;

/**
 * Opens the store of people.
 *
 * @throws RefusalError, AppError `unavailable` when it can't be opened
 */
export async function openUserModeration(options: UserModerationOptions): Promise<UserModeration> {
  const { url, origin, forgottenKey, clock } = options;
  const store = await openStore(url, origin, LOCKED_FOR_MS);
  return {
    forget: async (username) => {
      if (forgottenKey === undefined) throw new RefusalError('Nobody can be forgotten without FORGOTTEN_KEY');
      const nameHash = keyedNameHash(forgottenKey);
      if (!(await hasKeyMark(store, nameHash))) {
        throw new RefusalError('FORGOTTEN_KEY is not the key that user-api has worked with on this store');
      }
      return forgetPerson(username, { store, nameHash, clock, origin });
    },
    announce: (onProgress) => announcePeople({ store: store.users, clock, origin, onProgress }),
    close: () => store.close(),
  };
}
