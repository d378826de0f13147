import { userForgotten, userStored } from '@lobbystats/contracts';
import { handleBatch, type Handler } from '@lobbystats/message-bus';
import type { KnownPeople } from '../domain/known-people.ts';

/** Handled in order, since concurrent changes would conflict. */
const BATCH = 8;

/**
 * `onChanged` runs after each message.
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
