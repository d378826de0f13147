import { SLOT_SECONDS } from '@lobbystats/contracts';
import { createSimulator } from '@lobbystats/simulator';
import type { Definitions } from '@lobbystats/user-api/definitions';
import type { UserDatabase } from '@lobbystats/user-api/user-database';
import type { Unlock, UserRecord } from '@lobbystats/user-api/user-record';

const PER_COMMIT = 2000;
const TITLES_EACH = 3;
const MOST_UNLOCKS = 20;

/** Stores evaluated users with play time and achievements. @returns their keys */
export async function storeUsers(store: UserDatabase, count: number, definitions: Definitions): Promise<string[]> {
  const now = Math.floor(Date.now() / 1000 / SLOT_SECONDS) * SLOT_SECONDS;
  const titleIds = createSimulator()
    .world.titlesAt(now)
    .map(({ titleId }) => titleId);
  const keys: string[] = [];
  const evaluation = { digest: definitions.digest, after: undefined, done: true };
  for (let first = 0; first < count; first += PER_COMMIT) {
    const users: UserRecord[] = [];
    const unlocks: Unlock[] = [];
    for (let number = first; number < Math.min(first + PER_COMMIT, count); number += 1) {
      const earned = definitions.all.slice(0, (number * 7) % MOST_UNLOCKS);
      const user = createUser(number, now, titleIds, earned);
      users.push(user);
      keys.push(user.key);
      for (const [index, { id }] of earned.entries()) {
        unlocks.push({ userKey: user.key, achievementId: id, unlockedAt: now - ((number + index * 31) % 700) * 1000 });
      }
    }
    const expectedRevision = await store.users.revision();
    const commit = { expectedRevision, revision: expectedRevision + 1, users, unlocks, evaluation };
    if (!(await store.users.commit(commit))) throw new Error('Another writer uses this store');
  }
  return keys;
}

function createUser(number: number, now: number, titleIds: readonly string[], earned: Definitions['all']): UserRecord {
  const titles = Array.from({ length: TITLES_EACH }, (_, index) => ({
    titleId: titleIds[(number * 13 + index * 29) % titleIds.length] ?? '',
    minutes: 5 * (1 + ((number + index) % 400)),
    lastPlayedAt: now - (number % 1000) * SLOT_SECONDS,
  }));
  return {
    key: `player ${number}`,
    username: `Player ${number}`,
    gamertag: `Gamer ${number}`,
    verified: number % 3 === 0,
    presence: { at: now - (number % 500) * SLOT_SECONDS, isOnline: false, titleId: null, game: null },
    titles: titles.sort((a, b) => (a.titleId < b.titleId ? -1 : 1)),
    ratingsGiven: 0,
    unlocked: earned.map(({ id }) => id).sort((a, b) => a - b),
    score: earned.reduce((sum, { points }) => sum + points, 0),
  };
}
