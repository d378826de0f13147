import { userAllowed, userErased, userStored } from '@lobbystats/contracts';
import { handle, handleBatch, type Handler } from '@lobbystats/service-kit/bus';
import type { RatedUsers } from './rated-users.ts';

/** Handled in order, since concurrent changes would conflict. */
const BATCH_SIZE = 8;

/** `onChanged` runs after each message. */
export function userHandlers(ratedUsers: RatedUsers, onChanged: () => void): Handler[] {
  return [
    handleBatch(userStored, BATCH_SIZE, async (messages) => {
      for (const { data } of messages) {
        await ratedUsers.upsert(data.revision, data.users);
        await ratedUsers.retire(data.revision, data.retired ?? []);
        onChanged();
      }
    }),
    handle(userAllowed, ({ data }) => ratedUsers.allow(data.username)),
    handleBatch(userErased, BATCH_SIZE, async (messages) => {
      for (const { data } of messages) {
        await ratedUsers.erase(data.username);
        onChanged();
      }
    }),
  ];
}
