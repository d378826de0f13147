import {
  formatTimestamp,
  slotOf,
  usernameKey,
  type EpochSeconds,
  type operations,
  type OperationQuery,
  type OperationResponse,
  type Reply,
} from '@lobbystats/contracts';
import { ownUserError, type NameHash } from '../users/erased-users.ts';
import { listPlayDays } from '../play-time/list-play-days.ts';
import { findGamertagUser } from '../users/find-gamertag-user.ts';
import type { UserStore } from '../users/user-store.ts';
import {
  findUser,
  gamesView,
  leaderboardName,
  onlineUserView,
  PRESENCE_TTL_SECONDS,
  profileView,
  withProfile,
  type UserWithProfile,
} from './profile-view.ts';
import type { ProfileStore } from './profile-store.ts';

type NewUnlocks = OperationResponse<typeof operations.getUserProfile>['newUnlocks'];

export interface ProfileReaderOptions {
  profiles: Pick<ProfileStore, 'readUser'>;
  users: Pick<UserStore, 'usersByGamertag' | 'findErased' | 'onlineUsers' | 'playDays'>;
  nameHash: NameHash;
  newUnlocks: (userKey: string, now: EpochSeconds) => Promise<NewUnlocks>;
  now: () => EpochSeconds;
}

export class ProfileReader {
  readonly #options: ProfileReaderOptions;

  constructor(options: ProfileReaderOptions) {
    this.#options = options;
  }

  /** By username, else by the gamertag of the network's feed. */
  async profile(name: string): Promise<Reply<typeof operations.getUserProfile>> {
    const found = await this.#options.profiles.readUser(usernameKey(name));
    return { body: await this.#view(withProfile(found ?? (await this.#readByGamertag(name)))) };
  }

  async own(username: string): Promise<Reply<typeof operations.getOwnProfile>> {
    const known = await this.#options.profiles.readUser(usernameKey(username));
    if (known === undefined) throw await ownUserError(username, this.#options);
    return { body: { ...(await this.#view(withProfile(known))), gamertag: known.user.gamertag } };
  }

  /** Those whose profiles say that they are online. */
  async online({
    titleId,
    limit,
    offset,
  }: OperationQuery<typeof operations.listUsersOnline>): Promise<Reply<typeof operations.listUsersOnline>> {
    const since = this.#options.now() - PRESENCE_TTL_SECONDS + 1;
    const { users, total } = await this.#options.users.onlineUsers({ since, titleId, limit, offset });
    const next = offset + users.length;
    const hasMore = users.length > 0 && next < total;
    const newest = users.length === 0 ? undefined : Math.max(...users.map(({ at }) => at));
    const slot = newest === undefined ? null : formatTimestamp(slotOf(newest));
    return {
      body: { slot, users: users.map(onlineUserView), total, limit, offset, hasMore },
      lastModified: newest,
      next: hasMore ? { offset: next } : undefined,
    };
  }

  async games(username: string): Promise<Reply<typeof operations.getUserGames>> {
    return { body: gamesView(await findUser(this.#options.profiles, username)) };
  }

  async playDays(username: string): Promise<Reply<typeof operations.listPlayDays>> {
    const { user } = await findUser(this.#options.profiles, username);
    return listPlayDays(this.#options.users, user.key, this.#options.now());
  }

  async leaderboardName(username: string): Promise<Reply<typeof operations.getLeaderboardName>> {
    const userWithProfile = await findUser(this.#options.profiles, username);
    const { linkedGamertag } = userWithProfile.profile;
    return { body: { playerName: leaderboardName(userWithProfile), explicitConsoleLiveGamertag: linkedGamertag } };
  }

  async #view(userWithProfile: UserWithProfile) {
    const { newUnlocks, now } = this.#options;
    const { key, unlocked } = userWithProfile.user;
    const at = now();
    return profileView(userWithProfile, unlocked.length === 0 ? [] : await newUnlocks(key, at), at);
  }

  async #readByGamertag(gamertag: string) {
    const { profiles, users } = this.#options;
    const user = await findGamertagUser(users, gamertag);
    return user === undefined ? undefined : profiles.readUser(user.key);
  }
}
