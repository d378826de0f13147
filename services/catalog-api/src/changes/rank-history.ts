import {
  DAY_SECONDS,
  endOfDay,
  formatDate,
  formatTimestamp,
  nameKey,
  type EpochSeconds,
  type OperationQuery,
  type OperationResponse,
  type operations,
  type Reply,
} from '@lobbystats/contracts';
import { AppError } from '@lobbystats/contracts/errors';
import type { BoardState, Entry } from '../boards/board.ts';
import { readConsistently, versionsWithin, type CatalogReader } from '../boards/catalog-reader.ts';
import type { ChangeQueries } from './changes.queries.ts';

type Point = OperationResponse<typeof operations.getRankHistory>['points'][number];
type Rated = Pick<Entry, 'rank' | 'rating' | 'timeMs'>;
type Standing = Omit<Point, 'recorded_at'>;

const ABSENT: Standing = { rank: null, rating: null, timeMs: null };

/** @throws AppError `not-found` for an unknown title or board, or a player who wasn't on it in these days */
export async function rankHistory(
  { titles, boards }: CatalogReader<ChangeQueries>,
  player: string,
  { titleId, leaderboardId, days }: OperationQuery<typeof operations.getRankHistory>,
  now: EpochSeconds,
): Promise<Reply<typeof operations.getRankHistory>> {
  const { head } = (await titles.view()).header(titleId);
  const period = { playerKey: nameKey(player), since: now - days * DAY_SECONDS };
  const read = async () => {
    const [state] = await boards.states([{ titleId, leaderboardId }]);
    if (state === undefined) throw new AppError('not-found', 'Unknown leaderboard');
    return { state, ...(await readStandings(boards, state, period)) };
  };
  const { state, standings, playerName = player } = await readConsistently(boards, read);
  const times = [...standings.keys()].sort((a, b) => a - b);
  const points = times.map((at) => ({ recorded_at: formatTimestamp(at), ...(standings.get(at) ?? ABSENT) }));
  const shown = points.filter(({ rank }, index) => rank !== null || (points[index - 1]?.rank ?? null) !== null);
  if (shown.length === 0) throw new AppError('not-found', 'Unknown player');
  const { name: leaderboardName, isTime } = state;
  return {
    body: { playerName, ...head, leaderboardId, leaderboardName, isTime, days, points: shown },
    lastModified: times.at(-1),
  };
}

interface Standings {
  /** By time; later sources are more exact. */
  readonly standings: Map<EpochSeconds, Standing>;
  readonly playerName?: string | undefined;
}

async function readStandings(
  boards: CatalogReader<ChangeQueries>['boards'],
  state: BoardState,
  { playerKey, since }: { playerKey: string; since: EpochSeconds },
): Promise<Standings> {
  const { titleId, leaderboardId, entryCount, changedAt, observedAt } = state;
  const standings = new Map<EpochSeconds, Standing>();
  const put = (at: EpochSeconds, entry: Rated | undefined, isTime = false) => {
    const { rank, rating, timeMs } = entry ?? ABSENT;
    standings.set(at, { rank, rating, timeMs: isTime ? timeMs : null });
  };

  const limit = versionsWithin(entryCount);
  for await (const { day, content } of boards.versions(state, { since: formatDate(since), limit })) {
    const entry = content?.entries.find(({ name }) => nameKey(name) === playerKey);
    put(Math.min(endOfDay(day), changedAt), entry, content?.isTime);
  }
  const found = await boards.ofPlayers({ keys: [playerKey], titleId });
  const current = found.find((entry) => entry.leaderboardId === leaderboardId);
  put(Math.max(changedAt, observedAt), current, current?.isTime);

  const changes = (await boards.changesOnBoard(state, [playerKey])).filter(({ changedAt: at }) => at > since);
  for (const { changedAt: at, newRank, newRating, newTimeMs } of changes.toReversed()) {
    standings.set(at, { rank: newRank, rating: newRating, timeMs: newTimeMs });
  }
  return { standings, playerName: current?.playerName ?? changes[0]?.playerName };
}
