import { playerKey, type UserRecord } from './user-record.ts';
import type { UserStore } from './user-store.ts';

/**
 * Finds the user with a gamertag of the network's feed, in any spelling; the first by key of several users with one
 * gamertag. A linked gamertag doesn't count: users enter it themselves.
 */
export async function findGamertagUser(
  users: Pick<UserStore, 'usersByGamertag'>,
  gamertag: string,
): Promise<UserRecord | undefined> {
  const player = playerKey(gamertag);
  if (player === undefined) return undefined;
  const found = (await users.usersByGamertag([player])).get(player) ?? [];
  return found.toSorted((a, b) => (a.key < b.key ? -1 : 1))[0];
}
