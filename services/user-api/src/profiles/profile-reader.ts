import type { EpochSeconds, operations, OperationResponse, Reply } from '@lobbystats/contracts';
import { findUser, gamesView, leaderboardName, profileView } from './profile-view.ts';
import type { ProfileStore } from './profile-store.ts';

type NewUnlocks = OperationResponse<typeof operations.getUserProfile>['newUnlocks'];

export interface ProfileReaderOptions {
  profiles: Pick<ProfileStore, 'readUser'>;
  newUnlocks: (userKey: string, now: EpochSeconds) => Promise<NewUnlocks>;
  now: () => EpochSeconds;
}

export class ProfileReader {
  readonly #options: ProfileReaderOptions;

  constructor(options: ProfileReaderOptions) {
    this.#options = options;
  }

  async profile(username: string): Promise<Reply<typeof operations.getUserProfile>> {
    const { profiles, newUnlocks, now } = this.#options;
    const userWithProfile = await findUser(profiles, username);
    const { key, unlocked } = userWithProfile.user;
    const at = now();
    return { body: profileView(userWithProfile, unlocked.length === 0 ? [] : await newUnlocks(key, at), at) };
  }

  async games(username: string): Promise<Reply<typeof operations.getUserGames>> {
    return { body: gamesView(await findUser(this.#options.profiles, username)) };
  }

  async leaderboardName(username: string): Promise<Reply<typeof operations.getLeaderboardName>> {
    const userWithProfile = await findUser(this.#options.profiles, username);
    const { linkedGamertag } = userWithProfile.profile;
    return { body: { playerName: leaderboardName(userWithProfile), explicitConsoleLiveGamertag: linkedGamertag } };
  }
}
