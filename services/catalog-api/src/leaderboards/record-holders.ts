import { formatTimestamp, type OperationResponse, type operations, type Reply } from '@lobbystats/contracts';
import { type BoardState, type Entry, ratingView } from '../boards/board.ts';
import { newestOf } from './board-lists.ts';
import { type StoredChange, foundSince } from '../changes/stored-change.ts';
import { readConsistently, type CatalogReader } from '../boards/catalog-reader.ts';
import type { ChangeQueries } from '../changes/changes.queries.ts';

type Row = OperationResponse<typeof operations.listRecordHolders>[number];

/** Records of a game that are read to date those that stand. */
const RECORD_CHANGES_MAX = 5000;

/** @throws AppError `not-found` for an unknown title */
export async function listRecordHolders(
  { titles, boards }: CatalogReader<ChangeQueries>,
  titleId: string,
): Promise<Reply<typeof operations.listRecordHolders>> {
  const { changedAt } = (await titles.view()).header(titleId);
  const read = async () => {
    const all = await boards.boardsOf(titleId);
    const changes = await boards.changes({ titleId, first: 'all' }, { offset: 0, limit: RECORD_CHANGES_MAX });
    const rows: Row[] = [];
    // One after the other: MongoDB unpacks a whole board for its first entries.
    for (const state of all.filter(({ gone }) => !gone)) {
      rows.push(rowOf(state, await boards.entries(state, { offset: 0, limit: 2 }), changes));
    }
    return { all, rows };
  };
  const { all, rows } = await readConsistently(boards, read);
  return { body: rows, lastModified: newestOf(all, changedAt) };
}

function rowOf(
  { leaderboardId, name, isTime, entryCount }: BoardState,
  [first, second]: readonly Entry[],
  changes: readonly StoredChange[],
): Row {
  const since =
    first &&
    foundSince(
      first,
      isTime,
      changes.filter((change) => change.leaderboardId === leaderboardId),
    );
  return {
    ...{ leaderboardId, name, entries: entryCount },
    record:
      first === undefined
        ? null
        : {
            playerName: first.name,
            ...ratingView(first, isTime),
            since: since === undefined ? null : formatTimestamp(since),
            isShared: second?.rank === first.rank,
          },
  };
}
