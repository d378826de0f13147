import { DAY_SECONDS, operations, type OperationResponse, type SampleValues } from '@lobbystats/contracts';
import type { Simulator } from '@lobbystats/simulator';

/** A system with some days of history, and its network. */
export interface CapturedSystem {
  readonly url: string;
  readonly networkUrl: string;
  readonly simulator: Simulator;
  readonly clock: () => number;
}

type Change = OperationResponse<typeof operations.listChanges>['changes'][number];
type CountedGame = OperationResponse<typeof operations.getOnlineUsers>[string];

const isIllustrative = ({ name, activeLobbies }: CountedGame) => /^[A-Z][A-Za-z ]+$/.test(name) && activeLobbies > 0;

/** The player of a sample is on the leaderboard now and still after this time. */
const LASTING_SECONDS = 3 * 365 * DAY_SECONDS;

/**
 * Chooses values with rich responses that the simulated network has at any time, events apart: a game with open matches, a board of it
 * and the best player of one word who has a change on it and stays, users who can sign in.
 *
 * @throws Error while the system has not collected enough data
 */
export async function chooseSamples({ url, simulator, clock }: CapturedSystem): Promise<SampleValues> {
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
  const events = await get<OperationResponse<typeof operations.listEvents>>(operations.listEvents.path);
  const eventTitles = new Set(events.map(({ title_id }) => title_id));
  const nowSeconds = Math.floor(clock() / 1000);
  const isSample = ({ titleId, leaderboardId, playerName, newRank, isTime }: Change): boolean => {
    if (!isTime || newRank === null || !/^[A-Za-z]+\d*$/.test(playerName)) return false;
    const later = simulator.world.board(nowSeconds + LASTING_SECONDS, titleId, leaderboardId);
    return later?.entries.some(({ name }) => name === playerName) === true;
  };
  const [chosen] = busiest
    .filter(isIllustrative)
    .toSorted((one, another) => Number(eventTitles.has(another.titleId)) - Number(eventTitles.has(one.titleId)))
    .flatMap((game) =>
      changes.changes
        .filter((change) => change.titleId === game.titleId && isSample(change))
        .toSorted((one, another) => Number(one.newRank) - Number(another.newRank))
        .map((board) => ({ game, board, player: board.playerName })),
    );
  if (chosen === undefined) throw new Error('no game has it all yet');
  const { game, board, player } = chosen;
  const other = busiest.find(({ titleId }) => titleId !== game.titleId);
  const { entries } = await get<OperationResponse<typeof operations.getLeaderboard>>(
    `${operations.getLeaderboard.path.replace(':titleId', game.titleId).replace(':leaderboardId', String(board.leaderboardId))}?limit=10`,
  );
  const event = events.find(({ title_id }) => title_id === game.titleId) ?? events[0];
  const [, account] = simulator.accounts;
  if (event === undefined || account === undefined) throw new Error('there are no events yet');
  for (const path of [operations.getProfile.path, operations.getReputation.path]) {
    await get(path.replace(':username', encodeURIComponent(account.username)));
  }
  const [first, second] = entries;
  if (first === undefined || second === undefined || other === undefined)
    throw new Error('the board has no entries yet');
  return {
    titleId: game.titleId,
    game: game.name,
    otherTitleId: other.titleId,
    leaderboardId: String(board.leaderboardId),
    eventId: String(event.id),
    player,
    otherPlayer: [first.name, second.name].find((name) => name !== player) ?? second.name,
    username: account.username,
    kind: 'game',
    id: game.titleId,
    channel: 'phone',
    time: first.timeFormatted,
    prefix: game.name.slice(0, 3),
  };
}

function hourOf(ms: number): string {
  return new Date(ms).toISOString().slice(0, 13).replace('T', ' ');
}
