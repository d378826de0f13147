import type { EpochSeconds, operations, OperationAnswer, Reply } from '@lobbystats/contracts';
import { findPerson } from './person.ts';
import type { ProfileStore } from './profile-store.ts';
import { gamesView, leaderboardName, profileView } from './profile-view.ts';

type NewUnlocks = OperationAnswer<typeof operations.getUserProfile>['newUnlocks'];

export interface ReadProfileOptions {
  profiles: Pick<ProfileStore, 'readPerson'>;
  newUnlocks: (userKey: string, now: EpochSeconds) => Promise<NewUnlocks>;
  now: () => EpochSeconds;
}

export class ReadProfile {
  readonly #options: ReadProfileOptions;

  constructor(options: ReadProfileOptions) {
    this.#options = options;
  }

  async profile(username: string): Promise<Reply<typeof operations.getUserProfile>> {
    const { profiles, newUnlocks, now } = this.#options;
    const person = await findPerson(profiles, username);
    const { key, unlocked } = person.user;
    const at = now();
    return { body: profileView(person, unlocked.length === 0 ? [] : await newUnlocks(key, at), at) };
  }

  async games(username: string): Promise<Reply<typeof operations.getUserGames>> {
    return { body: gamesView(await findPerson(this.#options.profiles, username)) };
  }

  async leaderboardName(username: string): Promise<Reply<typeof operations.getLeaderboardName>> {
    const person = await findPerson(this.#options.profiles, username);
    const { linkedGamertag } = person.profile;
    return { body: { playerName: leaderboardName(person), explicitConsoleLiveGamertag: linkedGamertag } };
  }
}
