import type { Outbox } from '@lobbystats/contracts';
import type { BoardProjection } from '../leaderboards/board-projection.mongo.ts';

/** Updates projections before facts are published, so that caches refilled then are current, even after a crash. */
export function projectedOutbox(outbox: Outbox, projection: BoardProjection): Outbox {
  return {
    pending: async (limit) => {
      const facts = await outbox.pending(limit);
      await projection.catchUp();
      return facts;
    },
    remove: (positions) => outbox.remove(positions),
    backlog: () => outbox.backlog(),
  };
}
