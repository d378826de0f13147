import { BOARD_PASS_SECONDS } from '@lobbystats/contracts';
import type { MongoStore } from '@lobbystats/service-kit/mongo';
import { boardIdOf, withoutExcess, type BoardKey, type ListedBoard } from '../network/board.ts';
import type { BoardState, BoardCrawlState, DueBoard, PublishedBoard } from './board-crawl-state.ts';
import type { PageValidators } from '../network/page-cache.ts';
import { groupOf } from './board-schedule.ts';

/** Absent fields are null, or none. */
export interface BoardRow extends BoardKey {
  _id: string;
  turn: number;
  name: string;
  isListed?: boolean;
  said?: PublishedBoard;
  validators?: PageValidators[];
  owedAt?: number | null;
  saying?: PublishedBoard;
}

export function createMongoBoardCrawlState(store: MongoStore): BoardCrawlState {
  const rows = store.collection<BoardRow>('board');
  const one = (board: BoardKey) => ({ _id: boardIdOf(board) });
  const dueWhere = async (
    filter: Parameters<typeof rows.find>[0],
    options: { sort?: { owedAt: 1 } } = {},
  ): Promise<DueBoard[]> => {
    const found = await store.run(() => rows.find(filter, options).toArray());
    return found.map(({ titleId, leaderboardId, name }) => ({ titleId, leaderboardId, name }));
  };

  return {
    async updateListing(titleId, boards) {
      const stored = await store.run(() => rows.find({ titleId }).toArray());
      const known = new Map(stored.map((row) => [row.leaderboardId, row]));
      const listed = new Map(boards.map((board) => [board.id, board]));
      const dropped = stored.filter((row) => row.isListed === true && !listed.has(row.leaderboardId));
      const changes = [
        ...dropped.map(({ _id }) => ({ updateOne: { filter: { _id }, update: { $set: { isListed: false } } } })),
        ...[...withoutExcess(listed, known).values()]
          .filter(({ id, name }) => known.get(id)?.isListed !== true || known.get(id)?.name !== name)
          .map((board) => listingUpdate(titleId, board, known.get(board.id))),
      ];
      if (changes.length > 0) await store.run(() => rows.bulkWrite(changes, { ordered: false }));
    },

    due: (group) => dueWhere({ turn: group, $or: [{ isListed: true }, { 'said.digest': { $type: 'string' } }] }),

    pendingRetries: (pass) =>
      dueWhere({ owedAt: { $gte: pass, $lt: pass + BOARD_PASS_SECONDS } }, { sort: { owedAt: 1 } }),

    async get(board) {
      const row = await store.run(() => rows.findOne(one(board)));
      return row === null ? undefined : stateOf(row);
    },

    beginPublishing: (board, saying, nowMs) =>
      store.run(async () => {
        const unsaid = [
          { said: { $exists: false } },
          { 'said.pass': { $lt: saying.pass } },
          { 'said.pass': { $gt: Math.floor(nowMs / 1000) } },
        ];
        const before = await rows.findOneAndUpdate(
          { ...one(board), $or: unsaid },
          {
            $set: { saying, 'said.digest': '', validators: [] },
            // Keeps an existing value.
            $max: { 'said.pass': 0 },
          },
          { returnDocument: 'before' },
        );
        if (before === null) return false;
        return { before: before.saying?.pass === saying.pass ? before.saying.digest : undefined };
      }),

    async markPublished(board, published, validators) {
      const listingFields = published.digest === null ? { isListed: false } : {};
      const change = {
        $set: { said: published, validators: [...validators], owedAt: null, ...listingFields },
      };
      await store.run(() => rows.updateOne(one(board), change));
    },

    async markConfirmed(board, validators) {
      await store.run(() => rows.updateOne(one(board), { $set: { validators: [...validators], owedAt: null } }));
    },

    async setPendingRetry(board, at) {
      await store.run(() => rows.updateOne(one(board), { $set: { owedAt: at } }));
    },

    async forgetGone(beforePass) {
      const published = { $or: [{ said: { $exists: false } }, { 'said.pass': { $lt: beforePass } }] };
      await store.run(() => rows.deleteMany({ isListed: { $ne: true }, 'said.digest': null, ...published }));
    },
  };
}

function listingUpdate(titleId: string, { id, name }: ListedBoard, known: BoardRow | undefined) {
  const key = { titleId, leaderboardId: id };
  const unchanged = known === undefined || known.name === name ? {} : { validators: [] };
  return {
    updateOne: {
      filter: { _id: boardIdOf(key) },
      update: { $set: { name, isListed: true, ...unchanged }, $setOnInsert: { ...key, turn: groupOf(key) } },
      upsert: true,
    },
  };
}

function stateOf({
  name,
  isListed = false,
  said: published,
  validators = [],
  owedAt: retryPendingSince = null,
}: BoardRow): BoardState {
  return { name, isListed, published: published ?? null, validators, retryPendingSince };
}
