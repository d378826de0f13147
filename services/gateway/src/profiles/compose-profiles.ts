import { encodeSegment, operations, usernameKey, type Operation, type OperationResponse } from '@lobbystats/contracts';
import { hasCode } from '@lobbystats/contracts/errors';
import { jsonMembers, jsonObject } from '../upstreams/json-object.ts';
import {
  parseResponse,
  unavailable,
  type Composition,
  type UpstreamFetcher,
  type UpstreamResponse,
  type Values,
} from '../upstreams/upstreams.ts';
import { gamesPlayedJson, ownPlayTimeJson, ownProfileJson, profileJson } from './profile-json.ts';
import type { TitleDirectory } from '../titles/title-directory.ts';

type Standing = OperationResponse<typeof operations.getPlayerStanding>;

const { getProfile, getUserProfile, getOwnProfile, getUserGames, getLeaderboardName } = operations;
const { getPlayerStanding, listPlayerScores, exportUser, exportRatings } = operations;

export function profile(directory: TitleDirectory): Composition {
  return withStanding(getUserProfile, profileJson, directory, ({ username }, params) =>
    usernameKey(username) === usernameKey(String(params['username']))
      ? undefined
      : getProfile.path.replace(':username', encodeSegment(username)),
  );
}

export function ownProfile(directory: TitleDirectory): Composition {
  return withStanding(getOwnProfile, ownProfileJson, directory);
}

/** The part of user-api of a profile; the query has its username. */
export function playTime(directory: TitleDirectory): Composition {
  return async ({ query: { username } }, upstreams) => {
    const ofUser = await upstreams.fetch(getUserProfile, { username }, {});
    const json = parseResponse(getUserProfile, ofUser, (user) =>
      ownPlayTimeJson(user, (titleId) => directory.find(titleId)),
    );
    return composeResponse(json, ofUser);
  };
}

/** Combines what user-api and reputation-api store about the caller. */
export const ownExport: Composition = async ({ sessionKey }, upstreams) => {
  const fetch = async (operation: Operation) =>
    (await upstreams.fetch(operation, {}, {}, { sessionKey })).body.toString();
  const [user, reputation] = await Promise.all([fetch(exportUser), fetch(exportRatings)]);
  const json = jsonObject(Object.entries({ user, reputation }));
  return { body: Buffer.from(json), lastModified: undefined, link: undefined };
};

export function gamesPlayed(directory: TitleDirectory): Composition {
  return withStanding(getUserGames, gamesPlayedJson, directory);
}

/** Combines user-api's data with the standings of the player name it gives. */
function withStanding<Op extends typeof getUserProfile | typeof getOwnProfile | typeof getUserGames>(
  operation: Op,
  jsonOf: (user: OperationResponse<Op>, standing: Standing, findTitle: TitleDirectory['find']) => string,
  directory: TitleDirectory,
  canonicalOf: (user: OperationResponse<Op>, params: Values) => string | undefined = () => undefined,
): Composition {
  return async ({ params, sessionKey }, upstreams) => {
    const ofUser = await upstreams.fetch(operation, params, {}, { sessionKey });
    const user = parseResponse(
      operation,
      ofUser,
      withPlayerName(({ leaderboardPlayerName }) => leaderboardPlayerName),
    );
    const ofPlayer = await fetchDependent(upstreams, getPlayerStanding, user.player);
    const json = parseResponse(getPlayerStanding, ofPlayer, (standing) =>
      jsonOf(user.response, standing, (titleId) => directory.find(titleId)),
    );
    return { ...composeResponse(json, ofUser, ofPlayer), canonical: canonicalOf(user.response, params) };
  };
}

/** Combines the player name of a user (user-api) with that name's leaderboard entries (catalog-api). */
export const leaderboardScores: Composition = async ({ params, query }, upstreams) => {
  const ofUser = await upstreams.fetch(getLeaderboardName, params, {});
  const user = parseResponse(
    getLeaderboardName,
    ofUser,
    withPlayerName(({ playerName }) => playerName),
  );
  const ofPlayer = await fetchDependent(upstreams, listPlayerScores, user.player, query);
  const { explicitConsoleLiveGamertag } = user.response;
  const json = parseResponse(listPlayerScores, ofPlayer, ({ scores }) =>
    jsonObject(
      jsonMembers({
        playerName: user.player,
        explicitConsoleLiveGamertag,
        usingSiteUsernameFallback: explicitConsoleLiveGamertag === null,
        scores,
      }),
    ),
  );
  return composeResponse(json, ofUser, ofPlayer);
};

function withPlayerName<Body>(
  nameIn: (response: Body) => unknown,
): (response: Body) => { response: Body; player: string } {
  return (response) => {
    const player = nameIn(response);
    if (typeof player === 'string') return { response, player };
    throw new TypeError('the response has no player name');
  };
}

/**
 * Sends a request that depends on another response: a 4xx is not the caller's fault.
 *
 * @throws AppError `unavailable`
 */
async function fetchDependent(
  upstreams: UpstreamFetcher,
  operation: Operation,
  player: string,
  query: Values = {},
): Promise<UpstreamResponse> {
  try {
    return await upstreams.fetch(operation, { player }, query);
  } catch (error) {
    throw hasCode(error, 'unavailable') ? error : unavailable(error);
  }
}

/** `Last-Modified` is the newest of the parts. */
export function composeResponse(json: string, ...parts: readonly UpstreamResponse[]): UpstreamResponse {
  const times = parts.flatMap(({ lastModified }) => (lastModified === undefined ? [] : [lastModified]));
  const [lastModified] = times.toSorted((a, b) => Date.parse(b) - Date.parse(a));
  return { body: Buffer.from(json), lastModified, link: undefined };
}
