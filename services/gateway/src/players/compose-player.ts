import { operations } from '@lobbystats/contracts';
import { AppError } from '@lobbystats/contracts/errors';
import { composeResponse } from '../profiles/compose-profiles.ts';
import { jsonMembers, jsonObject } from '../upstreams/json-object.ts';
import { parseResponse, type Composition } from '../upstreams/upstreams.ts';

const { getGamertagUser, getHost, getPlayerStanding, listPlayerScores } = operations;

/** Combines what the services know of a name. @throws AppError `not-found` if none of them knows it */
export const player: Composition = async ({ params, query }, upstreams) => {
  const [ofUser, ofHost, ofStanding, ofScores] = await Promise.all([
    upstreams.fetch(getGamertagUser, params, {}),
    upstreams.fetch(getHost, params, {}),
    upstreams.fetch(getPlayerStanding, params, {}),
    upstreams.fetch(listPlayerScores, params, query),
  ]);
  const user = parseResponse(getGamertagUser, ofUser);
  const { name: host, matchesHosted, firstSeenAt, lastSeenAt } = parseResponse(getHost, ofHost);
  const { leaderboardsOn, top10Count } = parseResponse(getPlayerStanding, ofStanding);
  const json = parseResponse(listPlayerScores, ofScores, ({ scores: leaderboards }) => {
    const name = user.gamertag ?? leaderboards[0]?.playerName ?? host;
    return name === null
      ? undefined
      : jsonObject([
          ...jsonMembers({ name, username: user.username, leaderboardsOn, top10Count, leaderboards }),
          ...jsonMembers({ matchesHosted, firstSeenAt, lastSeenAt }),
        ]);
  });
  if (json === undefined) throw new AppError('not-found', 'Unknown player');
  return composeResponse(json, ofUser, ofHost, ofStanding, ofScores);
};
