import { operations, type OperationResponse } from '@lobbystats/contracts';
import type { Simulator } from '@lobbystats/simulator';

/** A system with some days of history, and its network. */
export interface CapturedSystem {
  readonly url: string;
  readonly networkUrl: string;
  readonly simulator: Simulator;
  readonly clock: () => number;
}

/** Inputs of the examples, by parameter name and operation ID. */
export interface Samples {
  readonly params: Readonly<Record<string, string>>;
  /** Take precedence over `params`. */
  readonly ownParams: Readonly<Record<string, Readonly<Record<string, string>>>>;
  readonly queries: Readonly<Record<string, Readonly<Record<string, string>>>>;
  readonly bodies: Readonly<Record<string, unknown>>;
}

type CountedGame = OperationResponse<typeof operations.getOnlineUsers>[string];

const isIllustrative = ({ name, activeLobbies }: CountedGame) => /^[A-Z][A-Za-z ]+$/.test(name) && activeLobbies > 2;

/**
 * Chooses inputs with rich responses: a game with open matches and boards, its busiest board, users who can sign in.
 *
 * @param isSuitable which games to choose from
 * @throws Error while the system has not collected enough data
 */
export async function chooseSamples(
  { url, simulator, clock }: CapturedSystem,
  isSuitable = isIllustrative,
): Promise<Samples> {
  const get = async <Body>(path: string): Promise<Body> => {
    const answer = await fetch(url + path);
    if (answer.status !== 200) throw new Error(`${path} answered ${answer.status}`);
    return (await answer.json()) as Body;
  };
  const series = await get<OperationResponse<typeof operations.getOnlineSeries>>(
    `${operations.getOnlineSeries.path}?days=30`,
  );
  if (series.length < 288) throw new Error('the past is not filled yet');
  const changes = await get<OperationResponse<typeof operations.listChanges>>(
    `${operations.listChanges.path}?limit=500`,
  );
  const users = await get<OperationResponse<typeof operations.getOnlineUsers>>(operations.getOnlineUsers.path);
  const newest = changes.changes[0]?.changedAt ?? '';
  if (newest < hourOf(clock() - 3_600_000)) throw new Error('the boards are not read yet');
  const busiest = Object.values(users).toSorted((one, another) => another.online - one.online);
  const game = busiest
    .filter(isSuitable)
    .find(({ titleId }) => changes.changes.some((change) => change.isTime && change.titleId === titleId));
  const other = busiest.find(({ titleId }) => titleId !== game?.titleId);
  const board = changes.changes.find(({ titleId, isTime }) => isTime && titleId === game?.titleId);
  if (game === undefined || other === undefined || board === undefined) throw new Error('no game has it all yet');
  const { entries } = await get<OperationResponse<typeof operations.getLeaderboard>>(
    `${operations.getLeaderboard.path.replace(':titleId', game.titleId).replace(':leaderboardId', String(board.leaderboardId))}?limit=10`,
  );
  const [event] = await get<OperationResponse<typeof operations.listEvents>>(`${operations.listEvents.path}?limit=1`);
  const [, account] = simulator.accounts;
  if (event === undefined || account === undefined) throw new Error('there are no events yet');
  for (const path of [operations.getProfile.path, operations.getReputation.path]) {
    await get(path.replace(':username', encodeURIComponent(account.username)));
  }
  const changed = entries.find(({ name }) => changes.changes.some(({ playerName }) => playerName === name));
  const player = (isSuitable === isIllustrative ? changed : (changed ?? entries[0]))?.name;
  return samplesOf({ game, other, board, entries, player, event, username: account.username });
}

interface SampleData {
  readonly game: { readonly titleId: string; readonly name: string };
  readonly other: { readonly titleId: string };
  readonly board: { readonly leaderboardId: number };
  readonly entries: OperationResponse<typeof operations.getLeaderboard>['entries'];
  /** On the board, with changes. */
  readonly player: string | undefined;
  readonly event: OperationResponse<typeof operations.listEvents>[number];
  readonly username: string;
}

function samplesOf({ game, other, board, entries, player, event, username }: SampleData): Samples {
  const [first, second] = entries;
  if (first === undefined || second === undefined || player === undefined)
    throw new Error('the board has no entries yet');
  const few = { limit: '3' };
  const hourly = { days: '1', resolution: '60' };
  return {
    params: {
      titleId: game.titleId,
      game: game.name,
      leaderboardId: String(board.leaderboardId),
      eventId: String(event.id),
      player,
      username,
    },
    ownParams:
      event.title_id === null
        ? {}
        : {
            [operations.getTitleEventsCalendar.id]: {
              titleId: event.title_id,
              game: event.game_name,
            },
          },
    queries: {
      [operations.getDailyRegistered.id]: { days: '7' },
      [operations.getDailyOnline.id]: { days: '7' },
      [operations.getOnlineSeries.id]: hourly,
      [operations.getLobbySeries.id]: hourly,
      [operations.compareGames.id]: { titleIds: `${game.titleId},${other.titleId}`, ...hourly },
      [operations.getRanking.id]: few,
      [operations.getTitleOnlineHistory.id]: { hours: '24', resolution: '60' },
      [operations.listGames.id]: few,
      [operations.listLobbies.id]: few,
      [operations.getMatchHistory.id]: few,
      [operations.getDailyStats.id]: { days: '7' },
      [operations.getLeaderboard.id]: few,
      [operations.listChanges.id]: few,
      [operations.listTitleChanges.id]: few,
      [operations.listPlayerChanges.id]: few,
      [operations.getChangesFeed.id]: { limit: '1' },
      [operations.getTitleChangesFeed.id]: { limit: '1' },
      [operations.getRankHistory.id]: { titleId: game.titleId, leaderboardId: String(board.leaderboardId) },
      [operations.getPlayTime.id]: { username },
      [operations.suggestNames.id]: { q: game.name.slice(0, 3), ...few },
      [operations.listEvents.id]: few,
      [operations.listPaidEvents.id]: few,
      [operations.searchByTime.id]: { time: first.timeFormatted, tolerance: '500', ...few },
      [operations.searchByPlayers.id]: { names: `${first.name},${second.name}`, ...few },
      [operations.getLeaderboardScores.id]: few,
      [operations.getPlayer.id]: few,
      [operations.getAchievementLeaderboard.id]: few,
      [operations.listRecentUnlocks.id]: few,
    },
    bodies: {
      [operations.searchByRanks.id]: {
        players: [first, second].map(({ name, rank }) => ({ playerName: name, rank: Number(rank) })),
        titleId: game.titleId,
      },
      [operations.updateProfile.id]: { bio: 'Up before the birds.', avatar_hue: 210 },
      [operations.rateProfile.id]: { stars: 4, comment: 'Fair, and never late.' },
      [operations.getOwnPresence.id]: {},
      [operations.reportComment.id]: { raterUsername: username, reason: 'It was somebody else.' },
    },
  };
}

function hourOf(ms: number): string {
  return new Date(ms).toISOString().slice(0, 13).replace('T', ' ');
}
