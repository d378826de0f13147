import type { GameMetadata, OperationAnswer, operations } from '@lobbystats/contracts';
import { jsonMember, jsonObject } from './json-object.ts';

type OnlineUsers = OperationAnswer<typeof operations.getOnlineUsers>;
type LatestActivity = OperationAnswer<typeof operations.getLatestActivity>;

const nobody = {
  online: 0,
  activeLobbies: 0,
  hasActiveSession: false,
  sessionCount: 0,
  activeLobbyPlayers: 0,
  lobbyHostNames: [],
};

/**
 * Every title under its name with its activity in the newest slot, as JSON text. Titles missing in the slot have nobody
 * online.
 *
 * @param titles by name
 */
export function onlineUsersJson(titles: readonly GameMetadata[], activity: LatestActivity): string {
  const activityById = new Map(activity.titles.map(({ titleId, ...counts }) => [titleId, counts]));
  const members = titles.map(({ titleId, name, image, publisher }) => {
    const { online, ...lobbies } = activityById.get(titleId) ?? nobody;
    const game: OnlineUsers[string] = { name, online, titleId, image, publisher, ...lobbies };
    return jsonMember(name, game);
  });
  return jsonObject(members);
}
