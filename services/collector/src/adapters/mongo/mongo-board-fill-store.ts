import type { MongoStore } from '@lobbystats/mongo-store';
import type { BoardFillState, BoardFillStore, PastMemo } from '../../domain/board-fill-store.ts';
import { boardIdOf } from '../../domain/board.ts';
import { turnOf } from '../../domain/board-schedule.ts';
import { leasedDocument, type Leased } from './leased.ts';
import type { BoardRow } from './mongo-board-memory.ts';

interface FillRow extends BoardFillState, Leased {
  _id: 'boards';
}

/** A step tells of hundreds of boards, written as one. */
const STEP_MS = 10_000;

export function createMongoBoardFillStore(store: MongoStore): BoardFillStore {
  const rows = store.collection<FillRow>('board_fill');
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

    /** The boards first: a step that is repeated says the same of them, and live passes haven't begun. */
    async advance(cursor, { next, reached, said }) {
      const here = { ...one, cursor, isDone: false };
      await store.run(async () => {
        if ((await rows.findOne(here)) === null) return;
        if (said.length > 0) await boards.bulkWrite(said.map(remembering), { ordered: false });
        await rows.updateOne(here, { $set: { cursor: next, reached, isDone: next === null } });
      }, STEP_MS);
    },
  };
}

function remembering({ titleId, leaderboardId, name, pass, digest }: PastMemo) {
  const key = { titleId, leaderboardId };
  const first = { ...key, name, turn: turnOf(key), isListed: digest !== null };
  return {
    updateOne: {
      filter: { _id: boardIdOf(key) },
      update: { $set: { said: { pass, digest }, validators: [] }, $setOnInsert: first },
      upsert: true,
    },
  };
}

function stateOf({ fromPass, toPass, cursor, reached, isDone }: FillRow): BoardFillState {
  return { fromPass, toPass, cursor, reached, isDone };
}
