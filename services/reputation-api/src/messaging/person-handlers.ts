import { userForgotten, userStored } from '@lobbystats/contracts';
import { handleBatch, type Handler } from '@lobbystats/message-bus';
import type { KnownPeople } from '../domain/known-people.ts';

/** Messages handed over together: one after the other, because changes side by side would be in each other's way. */
const BATCH = 8;

/**
 * Takes in who can be rated, and who is forgotten.
 *
 * @param onChanged called after each message
 */
export function personHandlers(people: KnownPeople, onChanged: () => void): Handler[] {
  return [
    handleBatch(userStored, BATCH, async (messages) => {
      for (const { data } of messages) {
        await people.learn(data.revision, data.users);
        onChanged();
      }
    }),
    handleBatch(userForgotten, BATCH, async (messages) => {
      for (const { data } of messages) {
        await people.forget(data.username);
        onChanged();
      }
    }),
  ];
}
