import type { UserDatabase } from '../src/user-database.ts';
import { bits, DAY, playDay, player, profile, put, SLOT, unlock, userWithUnlocks, user } from './stored-records.ts';

/** All read operations by name. */
export const readOperations: Readonly<Record<string, (database: UserDatabase) => Promise<unknown>>> = {
  revision: ({ users }) => users.revision(),
  users: ({ users }) => users.users(['user 1', 'user 2', 'nobody']),
  isKnown: ({ users }) => users.isKnown('user 1'),
  usersByGamertag: ({ users }) => users.usersByGamertag(['user 1 tag', 'nobody']),
  players: ({ users }) => users.players(['user 1 tag', 'nobody']),
  playDays: ({ users }) => users.playDays([{ key: 'user 1', day: DAY }]),
  hostDays: ({ users }) => users.hostDays([{ key: 'user 1 tag', day: DAY }]),
  findErased: ({ users }) => users.findErased(['a hash', 'another']),
  onlineUsers: ({ users }) => users.onlineUsers({ since: SLOT, limit: 5, offset: 0 }),
  'onlineUsers of one title far down': ({ users }) =>
    users.onlineUsers({ since: SLOT, titleId: '4d530064', limit: 5, offset: 10 }),
  usersAfter: ({ users }) => users.usersAfter('user 3', 5),
  'usersAfter nobody': ({ users }) => users.usersAfter(undefined, 5),
  evaluation: ({ users }) => users.evaluation(),
  unlockTimes: ({ users }) => users.unlockTimes(['user 1', 'nobody']),
  unlocksOf: ({ users }) => users.unlocksOf('user 1'),
  'unlocksOf since': ({ users }) => users.unlocksOf('user 1', SLOT),
  recentUnlocks: ({ users }) => users.recentUnlocks(5),
  'recentUnlocks of one achievement': ({ users }) => users.recentUnlocks(5, 0, 1),
  'recentUnlocks far down': ({ users }) => users.recentUnlocks(5, 10),
  leaderboard: ({ users }) => users.leaderboard(0, 5),
  'leaderboard far down': ({ users }) => users.leaderboard(200, 5),
  leaderboardOffset: ({ users }) => users.leaderboardOffset('user 1'),
  readProfile: ({ profiles }) => profiles.readProfile('user 1'),
  readUser: ({ profiles }) => profiles.readUser('user 1'),
  findDiscordUser: ({ profiles }) => profiles.findDiscordUser('1'),
};

/** Read operations on small collections, which are read completely. */
export const fullReads: Readonly<Record<string, (database: UserDatabase) => Promise<unknown>>> = {
  definitions: ({ users }) => users.definitions(),
  unlockCounts: ({ users }) => users.unlockCounts(),
};

/** All write operations on existing users by name. */
export const writeOperations: Readonly<Record<string, (database: UserDatabase) => Promise<unknown>>> = {
  'commit of a slot': (database) =>
    put(database, { users: [userWithUnlocks('user 1', [1, 2])], playDays: [playDay('user 1', [1, 2])] }),
  'commit of a new name and an unlock': (database) =>
    put(database, {
      users: [userWithUnlocks('user 2', [1, 2, 3], { username: 'User 2' })],
      unlocks: [unlock('user 2', 3)],
      movedUnlocks: [unlock('user 2', 1, SLOT - 300)],
    }),
  'commit of players': (database) => put(database, { players: [player('user 1 tag', [])] }),
  removeDaysBefore: ({ users }) => users.removeDaysBefore(DAY - 1),
  writeProfile: ({ profiles }) => profiles.writeProfile({ profile: profile('user 1', { discordId: '2' }), facts: [] }),
  forget: ({ erasures }) =>
    erasures.eraseUser({ userKey: 'user 3', playerKey: 'user 3 tag', hashes: ['a hash'], facts: [] }),
};

/** Stores 300 users with two unlocks each at ten scores; five of them have expired days, and 20 are online. */
export async function fillDatabase(database: UserDatabase): Promise<void> {
  const keys = Array.from({ length: 300 }, (_, index) => `user ${index}`);
  const few = keys.slice(0, 5);
  const presence = { at: SLOT, isOnline: false, titleId: null, game: null };
  const hostDay = (key: string, day: number) => ({ playerKey: `${key} tag`, day, slots: bits([1]) });
  await put(database, {
    users: [
      ...keys.map((key, index) =>
        userWithUnlocks(key, [1, 2], { score: 10 * (index % 10), ...(index >= 20 && { presence }) }),
      ),
      user('nobody yet'),
    ],
    players: keys.map((key) => player(`${key} tag`, ['t:1'])),
    playDays: [...keys.map((key) => playDay(key, [1])), ...few.map((key) => playDay(key, [1], 't', DAY - 2))],
    hostDays: [...keys.map((key) => hostDay(key, DAY)), ...few.map((key) => hostDay(key, DAY - 2))],
    unlocks: keys.flatMap((key) => [unlock(key, 1), unlock(key, 2)]),
  });
}
