import type { operations, Reply } from '@lobbystats/contracts';
import type { BoardState } from '../boards/board.ts';
import type { CatalogReader } from '../boards/catalog-reader.ts';
import type { ChangeQueries } from '../changes/changes.queries.ts';

/** @throws AppError `not-found` for an unknown title */
export async function getTitleStats(
  { titles, boards }: CatalogReader,
  titleId: string,
): Promise<Reply<typeof operations.getTitleStats>> {
  const { head, changedAt } = (await titles.view()).header(titleId);
  const all = await boards.boardsOf(titleId);
  const states = all.filter(({ gone }) => !gone);
  const entriesOf = (of: readonly BoardState[]) => of.reduce((sum, { entryCount }) => sum + entryCount, 0);
  const total = entriesOf(states);
  const times = entriesOf(states.filter(({ isTime }) => isTime));
  return {
    body: {
      ...head,
      leaderboard_count: states.length,
      total_entries: total,
      time_entries: times,
      score_entries: total - times,
    },
    lastModified: newestOf(all, changedAt),
  };
}

/** @throws AppError `not-found` for an unknown title */
export async function listLeaderboards(
  { titles, boards }: CatalogReader,
  titleId: string,
): Promise<Reply<typeof operations.listLeaderboards>> {
  const { head, changedAt } = (await titles.view()).header(titleId);
  const all = await boards.boardsOf(titleId);
  const states = all.filter(({ gone }) => !gone);
  return {
    body: states.map(({ leaderboardId, name }) => ({ id: leaderboardId, name, ...head })),
    lastModified: newestOf(all, changedAt),
  };
}

export function newestOf(states: readonly BoardState[], titleChangedAt: number): number {
  return states.reduce((latest, { changedAt }) => Math.max(latest, changedAt), titleChangedAt);
}

/** Returns the records among some changes. */
export async function listRecords(
  { boards }: CatalogReader<ChangeQueries>,
  ids: readonly number[],
): Promise<Reply<typeof operations.listRecords>> {
  const body = (await boards.changesById(ids)).flatMap(({ id, beaten }) => {
    if (beaten === null) return [];
    const { name: playerName, rating, timeMs } = beaten;
    return [{ id, beaten: { playerName, rating, timeMs } }];
  });
  return { body };
}
