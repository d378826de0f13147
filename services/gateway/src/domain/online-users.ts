import { compareCodePoints, type GameMetadata, type OperationAnswer, type operations } from '@lobbystats/contracts';

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
 * The map of who plays what: every title of the directory by name, with its activity in the newest slot. A title that the
 * slot doesn't know has nobody online.
 */
export function composeOnlineUsers(titles: Iterable<GameMetadata>, activity: LatestActivity): OnlineUsers {
  const activityById = new Map(activity.titles.map(({ titleId, ...counts }) => [titleId, counts]));
  // Without a prototype, so that a game may be called `__proto__`.
  const users = Object.create(null) as OnlineUsers;
  const ordered = [...titles].sort((a, b) => compareCodePoints(a.name, b.name));
  for (const { titleId, name, image, publisher } of ordered) {
    const { online, ...lobbies } = activityById.get(titleId) ?? nobody;
    users[name] = { name, online, titleId, image, publisher, ...lobbies };
  }
  return users;
}
