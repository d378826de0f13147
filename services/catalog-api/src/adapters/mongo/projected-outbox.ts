import type { Outbox } from '@lobbystats/contracts';
import type { BoardProjection } from './board-projection.ts';

/**
 * Facts are published once searches and lists of changes show what they tell of: whatever is cached after them is new. What a
 * killed process left behind is caught up by whichever process looks into the outbox first.
 */
export function projectedOutbox(outbox: Outbox, projection: BoardProjection): Outbox {
  return {
    pending: async (limit) => {
      const facts = await outbox.pending(limit);
      await projection.catchUp();
      return facts;
    },
    remove: (places) => outbox.remove(places),
    backlog: () => outbox.backlog(),
  };
}
