import { parseInstant, userErased, usernameKey, userStored } from '@lobbystats/contracts';
import { handle, type Handler } from '@lobbystats/message-bus';
import type { TrackedPlayers } from './tracked-players.ts';

export function userHandlers(players: TrackedPlayers, onLearned: () => void): Handler[] {
  return [
    handle(userStored, async ({ data: { revision, users }, occurredAt, past }) => {
      const trackedUsers = users.map(({ username, gamertag }) => ({
        userKey: usernameKey(username),
        gamertag,
        revision,
      }));
      await players.upsert(trackedUsers, { occurredAt: parseInstant(occurredAt), past });
      onLearned();
    }),
    handle(userErased, async ({ data: { username }, occurredAt, past }) => {
      await players.erase(usernameKey(username), { occurredAt: parseInstant(occurredAt), past });
    }),
  ];
}
