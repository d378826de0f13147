import { secondsClock, type EpochSeconds } from '@lobbystats/contracts';
import { StartupError } from '@lobbystats/contracts/errors';
import type { Secret } from '@lobbystats/service-kit';
import { setStopped } from './channels/stop-channels.ts';
import { keyedNameHash } from './users/keyed-hashes.node.ts';
import { openUserDatabase } from './open-store.ts';
import { playIn } from './observations/withdraw-play.ts';
import { republishUsers } from './users/republish-users.ts';
import { allowUser, eraseAgain, eraseUser, hasErasureKeyMark, type ErasureOutcome } from './erasure/erase-user.ts';

export { exportUsers } from './transfer/export-users.sqlite.ts';
export { userMigrations } from './database/user-migrations.sqlite.ts';
export { userSchema } from './database/user-schema.mongo.ts';

interface UserModerationOptions {
  url: string;
  origin: string;
  erasureKey: Secret | undefined;
  clock: () => number;
}

interface UserModeration {
  /**
   * Refuses a key other than user-api's, with which the feed would re-import the user.
   *
   * @throws StartupError for another key than user-api has
   * @throws AppError `unavailable` when the store can't be read or written now
   */
  eraseUser(username: string): Promise<ErasureOutcome>;
  /** Hashes of all erased users, for {@link eraseAgain}. */
  erasedHashes(): Promise<string[]>;
  /**
   * Erases all users again that have one of the hashes. Returns the number of those who were there.
   *
   * @throws StartupError, AppError as {@link eraseUser}; StartupError for hashes under another key
   */
  eraseAgain(hashes: readonly string[]): Promise<number>;
  /**
   * Allows an erased user again. Refuses a key other than user-api's, which recognises no name.
   *
   * @throws StartupError, AppError as {@link eraseUser}
   */
  allowUser(username: string, gamertag: string | undefined): Promise<'done' | 'already'>;
  /**
   * Stops all channels of a user, also those to come, or lets them deliver again.
   *
   * @throws AppError as {@link eraseUser}
   */
  stopChannels(username: string): Promise<'done' | 'already' | 'unknown'>;
  startChannels(username: string): Promise<'done' | 'already' | 'unknown'>;
  /**
   * Publishes all users again. Returns their number. `onProgress` receives the number published so far.
   *
   * @throws AppError `unavailable` when the store can't be read or written; some users may be published then
   */
  republishUsers(onProgress: (userCount: number) => void): Promise<number>;
  /** Users with play time in slots, and its minutes. @throws AppError as {@link republishUsers} */
  playIn(slots: { from: EpochSeconds; to: EpochSeconds }): Promise<{ users: number; minutes: number }>;
  close(): Promise<void>;
}

/** Long enough to find a gap between the commits of a busy service. */
const LOCK_TIMEOUT_MS = 5000;

/**
 * Opens the user database.
 *
 * @throws StartupError, AppError `unavailable` when it can't be opened
 */
export async function openUserModeration(options: UserModerationOptions): Promise<UserModeration> {
  const { url, origin, erasureKey, clock } = options;
  const store = await openUserDatabase(url, origin, LOCK_TIMEOUT_MS);
  const seconds = secondsClock(clock);
  const withNameHash = async () => {
    if (erasureKey === undefined)
      throw new StartupError('ERASURE_KEY is required to erase a user or to allow one again');
    const nameHash = keyedNameHash(erasureKey);
    if (!(await hasErasureKeyMark(store, nameHash))) {
      throw new StartupError('ERASURE_KEY is not the key that user-api uses for this store');
    }
    return { store, nameHash, clock, origin };
  };
  return {
    eraseUser: async (username) => eraseUser(username, await withNameHash()),
    erasedHashes: () => store.users.erasedHashes(),
    eraseAgain: async (hashes) => eraseAgain(hashes, await withNameHash()),
    allowUser: async (username, gamertag) => allowUser(username, gamertag, await withNameHash()),
    stopChannels: (username) => setStopped(store.channels, { username, isStopped: true, now: seconds() }),
    startChannels: (username) => setStopped(store.channels, { username, isStopped: false, now: seconds() }),
    republishUsers: (onProgress) => republishUsers({ store: store.users, clock, origin, onProgress }),
    playIn: (slots) => playIn(store.users, slots),
    close: () => store.close(),
  };
}

/** Tables and collections of the users' channels: URLs and keys of their browsers, sealed with ERASURE_KEY. */
export const CHANNEL_TABLES: readonly string[] = ['channel', 'delivery'];
