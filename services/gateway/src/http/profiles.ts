import { operations, type Operation, type OperationAnswer } from '@lobbystats/contracts';
import { hasCode } from '@lobbystats/errors';
import { gamesPlayedJson } from '../domain/games-played.ts';
import { jsonMembers, jsonObject } from '../domain/json-object.ts';
import { readAnswer, unavailable, type Asker, type OwnerAnswer, type Values } from '../domain/owners.ts';
import { profileJson } from '../domain/profile.ts';
import type { TitleDirectory } from '../domain/title-directory.ts';
import type { Composition } from './composition.ts';

type Standing = OperationAnswer<typeof operations.getPlayerStanding>;

const { getUserProfile, getUserGames, getLeaderboardName, getPlayerStanding, listPlayerScores } = operations;

export function profile(directory: TitleDirectory): Composition {
  return withStanding(getUserProfile, profileJson, directory);
}

export function gamesPlayed(directory: TitleDirectory): Composition {
  return withStanding(getUserGames, gamesPlayedJson, directory);
}

/** Combines user-api's data with the standings of the player name it gives. */
function withStanding<Op extends typeof getUserProfile | typeof getUserGames>(
  operation: Op,
  jsonOf: (user: OperationAnswer<Op>, standing: Standing, findTitle: TitleDirectory['find']) => string,
  directory: TitleDirectory,
): Composition {
  return async ({ params }, owners) => {
    const ofUser = await owners.ask(operation, params, {});
    const user = readAnswer(
      operation,
      ofUser,
      named(({ leaderboardPlayerName }) => leaderboardPlayerName),
    );
    const ofPlayer = await askNext(owners, getPlayerStanding, user.player);
    const json = readAnswer(getPlayerStanding, ofPlayer, (standing) =>
      jsonOf(user.answer, standing, (titleId) => directory.find(titleId)),
    );
    return composed(json, ofUser, ofPlayer);
  };
}

/** Answers where a person stands: user-api on the name that they have on boards, catalog-api on its entries. */
export const leaderboardScores: Composition = async ({ params, query }, owners) => {
  const ofUser = await owners.ask(getLeaderboardName, params, {});
  const user = readAnswer(
    getLeaderboardName,
    ofUser,
    named(({ playerName }) => playerName),
  );
  const ofPlayer = await askNext(owners, listPlayerScores, user.player, query);
  const { explicitConsoleLiveGamertag } = user.answer;
  const json = readAnswer(listPlayerScores, ofPlayer, ({ scores }) =>
    jsonObject(
      jsonMembers({
        playerName: user.player,
        explicitConsoleLiveGamertag,
        usingSiteUsernameFallback: explicitConsoleLiveGamertag === null,
        scores,
      }),
    ),
  );
  return composed(json, ofUser, ofPlayer);
};

function named<Answer>(nameIn: (answer: Answer) => unknown): (answer: Answer) => { answer: Answer; player: string } {
  return (answer) => {
    const player = nameIn(answer);
    if (typeof player === 'string') return { answer, player };
    throw new TypeError('there is no name to ask by');
  };
}

/**
 * A second request that depends on the first: a refusal is not the caller's fault.
 *
 * @throws AppError `unavailable`
 */
async function askNext(owners: Asker, operation: Operation, player: string, query: Values = {}): Promise<OwnerAnswer> {
  try {
    return await owners.ask(operation, { player }, query);
  } catch (error) {
    throw hasCode(error, 'unavailable') ? error : unavailable(error);
  }
}

/** `Last-Modified` is the newest of the parts. */
function composed(json: string, ...parts: readonly OwnerAnswer[]): OwnerAnswer {
  const times = parts.flatMap(({ lastModified }) => (lastModified === undefined ? [] : [lastModified]));
  const [lastModified] = times.toSorted((a, b) => Date.parse(b) - Date.parse(a));
  return { body: Buffer.from(json), lastModified, link: undefined };
}
