import type { MongoStore } from '@lobbystats/mongo-store';
import type { BoardBackfillState, BoardBackfillStore, BackfilledBoard } from './board-backfill-store.ts';
import { boardIdOf } from '../leaderboards/board.ts';
import { slotIndexOf } from '../leaderboards/board-schedule.ts';
import { leasedDocument, type Leased } from '../leases/leased.mongo.ts';
import type { BoardRow } from '../leaderboards/board-crawl-state.mongo.ts';

interface BackfillRow extends BoardBackfillState, Leased {
  _id: 'boards';
}

/** A step writes hundreds of boards in one bulk write. */
const STEP_TIMEOUT_MS = 10_000;

export function createMongoBoardBackfillStore(store: MongoStore): BoardBackfillStore {
  const rows = store.collection<BackfillRow>('board_fill');
  const boards = store.collection<BoardRow>('board');
  const one = { _id: 'boards' } as const;
  const stateNow = async () => {
    const row = await rows.findOne(one);
    return row === null ? undefined : stateOf(row);
  };

  return {
    ...leasedDocument(store, 'board_fill', one._id),

    begin: (range) =>
      store.run(async () => {
        const first = { ...range, cursor: null, reached: range.fromPass, isDone: false };
        await rows.updateOne(one, { $setOnInsert: { ...first, holder: null, leaseUntilMs: 0 } }, { upsert: true });
        return (await stateNow()) ?? first;
      }),

    state: () => store.run(stateNow),

    /** Writes the boards first: a repeated step writes the same, and live passes have not begun. */
    async advance(cursor, { next, reached, published }) {
      const here = { ...one, cursor, isDone: false };
      await store.run(async () => {
        if ((await rows.findOne(here)) === null) return;
        if (published.length > 0) await boards.bulkWrite(published.map(boardUpdate), { ordered: false });
        await rows.updateOne(here, { $set: { cursor: next, reached, isDone: next === null } });
      }, STEP_TIMEOUT_MS);
    },
  };
}

function boardUpdate({ titleId, leaderboardId, name, pass, digest }: BackfilledBoard) {
  const key = { titleId, leaderboardId };
  const first = { ...key, name, turn: slotIndexOf(key), isListed: digest !== null };
  return {
    updateOne: {
      filter: { _id: boardIdOf(key) },
      update: { $set: { said: { pass, digest }, validators: [] }, $setOnInsert: first },
      upsert: true,
    },
  };
}

function stateOf({ fromPass, toPass, cursor, reached, isDone }: BackfillRow): BoardBackfillState {
  return { fromPass, toPass, cursor, reached, isDone };
}
