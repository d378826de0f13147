import { parseInstant, userForgotten, usernameKey, userStored } from '@lobbystats/contracts';
import { handle, type Handler } from '@lobbystats/message-bus';
import type { KnownPlayers } from '../domain/known-players.ts';

export function personHandlers(players: KnownPlayers, onLearned: () => void): Handler[] {
  return [
    handle(userStored, async ({ data: { revision, users }, occurredAt, past }) => {
      const people = users.map(({ username, gamertag }) => ({ userKey: usernameKey(username), gamertag, revision }));
      await players.learn(people, { occurredAt: parseInstant(occurredAt), past });
      onLearned();
    }),
    handle(userForgotten, async ({ data: { username }, occurredAt, past }) => {
      await players.forget(usernameKey(username), { occurredAt: parseInstant(occurredAt), past });
    }),
  ];
}
