import { activityCounts, operations, type GameMetadata, type OperationResponse } from '@lobbystats/contracts';
import type { TitleDirectory } from '../titles/title-directory.ts';
import { jsonMember, jsonObject } from '../upstreams/json-object.ts';
import { parseResponse, type Composition } from '../upstreams/upstreams.ts';

type OnlineUsers = OperationResponse<typeof operations.getOnlineUsers>;
type LatestActivity = OperationResponse<typeof operations.getLatestActivity>;

export function onlineUsers(directory: TitleDirectory): Composition {
  return async (_asked, upstreams) => {
    const response = await upstreams.fetch(operations.getLatestActivity, {}, {});
    const titles = directory.byName();
    const json = parseResponse(operations.getLatestActivity, response, (activity) => onlineUsersJson(titles, activity));
    return { ...response, body: Buffer.from(json), etag: undefined };
  };
}

const noActivity = {
  ...activityCounts(() => 0),
  activeLobbies: 0,
  hasActiveSession: false,
  lobbyHostNames: [],
};

/**
 * All titles by name, with their activity in the newest slot, as JSON text. Titles missing in the slot have no users
 * online.
 *
 * @param titles by name
 */
function onlineUsersJson(titles: readonly GameMetadata[], activity: LatestActivity): string {
  const activityById = new Map(activity.titles.map(({ titleId, ...counts }) => [titleId, counts]));
  const members = titles.map(({ titleId, name, image, publisher, productCode }) => {
    const { online, ...lobbies } = activityById.get(titleId) ?? noActivity;
    const activePlayersDisplay = sessionsText(lobbies.activeLobbyPlayers, lobbies.sessionCount);
    const game: OnlineUsers[string] = {
      name,
      online,
      titleId,
      image,
      publisher,
      productCode,
      ...lobbies,
      activePlayersDisplay,
    };
    return jsonMember(name, game);
  });
  return jsonObject(members);
}

/** As the homepage of the network has it: `4 in 1 session`. */
function sessionsText(players: number, sessions: number): string {
  return sessions === 0 ? '' : `${players} in ${sessions} ${sessions === 1 ? 'session' : 'sessions'}`;
}
