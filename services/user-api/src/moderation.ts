import { RefusalError } from '@lobbystats/errors';
import type { Secret } from '@lobbystats/service-kit';
import { keyedNameHash, openStore } from './context.ts';
import { announcePeople } from './domain/announce-people.ts';
import { forgetPerson, type Forgotten } from './domain/forget-person.ts';
import { hasKeyMark } from './domain/key-mark.ts';

export interface UserModerationOptions {
  url: string;
  origin: string;
  forgottenKey: Secret | undefined;
  clock: () => number;
}

export interface UserModeration {
  /**
   * Refuses a key other than user-api's, with which the feed would re-import the user.
   *
   * @throws RefusalError for another key than user-api has: it would make them anew
   * @throws AppError `unavailable` when the store can't be read or written now
   */
  forget(username: string): Promise<Forgotten>;
  /**
   * Publishes all users again. Returns their number.
   *
   * @param onProgress told how many people are announced by now
   * @returns how many people there are
   * @throws AppError `unavailable` when the store can't be read or written now: some are announced then
   */
  announce(onProgress: (people: number) => void): Promise<number>;
  close(): Promise<void>;
}

/** A command can wait for a gap between a busy service's commits. */
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
