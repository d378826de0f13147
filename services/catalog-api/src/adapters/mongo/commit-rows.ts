import type { Fact } from '@lobbystats/contracts';
import type { AnyBulkWriteOperation } from 'mongodb';
import { boardId } from '../../domain/board.ts';
import type { BoardCommit } from '../../domain/board-store.ts';
import { keysOfBoard, type ChangeRow, type CountRow, type EntryRow } from './board-rows.ts';
import { changeRow, countsOf } from './change-rows.ts';
import { entryDifference, type EntryDifference } from './entry-rows.ts';
import { portions, slices, type RowStep } from './row-steps.ts';

/** How much is sent to the server at once. */
export interface StepLimits {
  /** Rows: a commit that was given up holds up the others until what it has sent is done. */
  readonly rows: number;
  /** Facts, each of which tells of hundreds of changes. */
  readonly facts: number;
}

/** What follows from what a commit's boards say: what searches find of them, then the changes with their counts. */
export function rowSteps({ boards, changes }: BoardCommit, { rows }: StepLimits): RowStep[] {
  // Nothing is kept of a board that had no rows to compare with.
  const emptied = boards.filter(({ before }) => before.length === 0).map(({ state }) => keysOfBoard(boardId(state)));
  const differences = boards.map(entryDifference);
  const entries: AnyBulkWriteOperation<EntryRow>[] = [
    ...emptied.map((_id) => ({ deleteMany: { filter: { _id } } })),
    ...differences.flatMap(({ removed }) => slices(removed, rows).map(removing)),
    ...differences.flatMap((difference) => moving(difference, rows)),
    ...differences.flatMap(({ changed }) =>
      changed.map(({ _id, to }) => ({ updateOne: { filter: { _id }, update: { $set: to } } })),
    ),
    ...differences.flatMap(({ added }) => added.map((document) => ({ insertOne: { document } }))),
  ];
  return [
    ...portions(entries, rows).map((writes): RowStep => ({ collection: 'entry', writes })),
    ...slices(changes, rows).flatMap((some): RowStep[] => [
      { collection: 'change', writes: some.map(logging) },
      { collection: 'change_count', writes: Array.from(countsOf(some), counting) },
    ]),
  ];
}

/** What puts facts into the outbox, in their order. */
export function factSteps(facts: readonly Fact[], limits: StepLimits): RowStep[] {
  return slices(facts, limits.facts).map((some) => ({ facts: some }));
}

/** One statement for many: one for each takes the server several times as long. */
function removing(ids: string[]): AnyBulkWriteOperation<EntryRow> {
  return { deleteMany: { filter: { _id: { $in: ids } } } };
}

function moving({ moved }: EntryDifference, limit: number): AnyBulkWriteOperation<EntryRow>[] {
  return moved.flatMap(({ places, ranks, ids }) =>
    slices(ids, limit).map((some) => ({
      updateMany: { filter: { _id: { $in: some } }, update: { $inc: { place: places, rank: ranks } } },
    })),
  );
}

function logging(change: BoardCommit['changes'][number]): AnyBulkWriteOperation<ChangeRow> {
  return { insertOne: { document: changeRow(change) } };
}

function counting([_id, count]: readonly [string, number]): AnyBulkWriteOperation<CountRow> {
  return { updateOne: { filter: { _id }, update: { $inc: { count } }, upsert: true } };
}
