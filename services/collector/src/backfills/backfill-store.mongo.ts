import type { MongoStore } from '@lobbystats/service-kit/mongo';
import { boardIdOf } from '../network/board.ts';
import type { BoardRow } from '../boards/board-crawl-state.mongo.ts';
import { groupOf } from '../boards/board-schedule.ts';
import type {
  BackfilledBoard,
  BackfillRange,
  BackfillState,
  BackfillStore,
  BoardBackfillRange,
  BoardBackfillState,
  BoardBackfillStore,
  PlayerBackfillRange,
  PlayerBackfillState,
  PlayerBackfillStore,
} from './backfill-store.ts';

/** A step writes hundreds of boards in one bulk write. */
const STEP_TIMEOUT_MS = 10_000;

export function createMongoBackfillStore(store: MongoStore): BackfillStore {
  const _id = 'past';
  const rows = store.collection<BackfillState & { _id: string }>('fill');
  return {
    ...progressDocument(store, 'fill', _id, (range: BackfillRange): BackfillState => {
      return { ...range, doneFrom: range.toSlot, daysDone: false };
    }),

    async markDaysDone() {
      await store.run(() => rows.updateOne({ _id }, { $set: { daysDone: true } }));
    },

    async setDoneFrom(slot) {
      await store.run(() => rows.updateOne({ _id }, { $min: { doneFrom: slot } }));
    },
  };
}

export function createMongoBoardBackfillStore(store: MongoStore): BoardBackfillStore {
  const _id = 'boards';
  const rows = store.collection<BoardBackfillState & { _id: string }>('board_fill');
  const boards = store.collection<BoardRow>('board');
  return {
    ...progressDocument(store, 'board_fill', _id, (range: BoardBackfillRange): BoardBackfillState => {
      return { ...range, cursor: null, reached: range.fromPass, isDone: false };
    }),

    /** Writes the boards first: a repeated step writes the same, and live passes have not begun. */
    async advance(cursor, { next, reached, published }) {
      const here = { _id, cursor, isDone: false };
      await store.run(async () => {
        if ((await rows.findOne(here)) === null) return;
        if (published.length > 0) await boards.bulkWrite(published.map(boardUpdate), { ordered: false });
        await rows.updateOne(here, { $set: { cursor: next, reached, isDone: next === null } });
      }, STEP_TIMEOUT_MS);
    },

    async published() {
      const found = await store.run(() => boards.find({ said: { $exists: true } }).toArray(), STEP_TIMEOUT_MS);
      return found.flatMap(({ titleId, leaderboardId, said: published }) =>
        published === undefined ? [] : [{ titleId, leaderboardId, ...published }],
      );
    },
  };
}

export function createMongoPlayerBackfillStore(store: MongoStore): PlayerBackfillStore {
  const _id = 'players';
  const rows = store.collection<PlayerBackfillState & { _id: string }>('player_fill');
  return {
    ...progressDocument(store, 'player_fill', _id, (range: PlayerBackfillRange): PlayerBackfillState => {
      return { ...range, cursor: null, isDone: false };
    }),

    async advance(cursor, next) {
      const here = { _id, cursor, isDone: false };
      await store.run(() => rows.updateOne(here, { $set: { cursor: next, isDone: next === null } }));
    },
  };
}

/** The only document of a collection: the state of a backfill. */
function progressDocument<Range extends object, State extends Range>(
  store: MongoStore,
  collection: string,
  _id: string,
  firstState: (range: Range) => State,
) {
  const rows = store.collection<{ _id: string }>(collection);
  const stateNow = async () => (await rows.findOne<State>({ _id }, { projection: { _id: 0 } })) ?? undefined;
  return {
    begin: (range: Range): Promise<State> =>
      store.run(async () => {
        const first = firstState(range);
        await rows.updateOne({ _id }, { $setOnInsert: first }, { upsert: true });
        return (await stateNow()) ?? first;
      }),

    state: () => store.run(stateNow),
  };
}

function boardUpdate({ titleId, leaderboardId, name, pass, digest }: BackfilledBoard) {
  const key = { titleId, leaderboardId };
  const first = { ...key, name, turn: groupOf(key), isListed: digest !== null };
  return {
    updateOne: {
      filter: { _id: boardIdOf(key) },
      update: { $set: { said: { pass, digest }, validators: [] }, $setOnInsert: first },
      upsert: true,
    },
  };
}
