import type { operations, Reply } from '@lobbystats/contracts';
import { playerKey } from '../users/user-record.ts';
import type { UserStore } from '../users/user-store.ts';

/** The gamertag is that of the network's feed: users enter the linked one themselves. */
export async function gamertagUser(
  users: Pick<UserStore, 'usersByGamertag'>,
  player: string,
): Promise<Reply<typeof operations.getGamertagUser>> {
  const key = playerKey(player) ?? '';
  const found = (await users.usersByGamertag([key])).get(key) ?? [];
  const [first] = found.toSorted((a, b) => (a.key < b.key ? -1 : 1));
  return { body: { username: first?.username ?? null, gamertag: first?.gamertag ?? null } };
}
