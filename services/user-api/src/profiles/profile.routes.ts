import { operations } from '@lobbystats/contracts';
import { routeTimeout, route, type Route } from '@lobbystats/service-kit';
import type { ProfileReader } from './profile-reader.ts';
import type { ProfileUpdater } from './profile-updater.ts';

export function profileRoutes(profiles: ProfileReader): Route[] {
  return [
    route(operations.getUserProfile, ({ params }) => profiles.profile(params.username)),
    route(operations.listUsersOnline, ({ query }) => profiles.online(query)),
    route(operations.getUserGames, ({ params }) => profiles.games(params.username)),
    route(operations.listPlayDays, ({ params }) => profiles.playDays(params.username)),
    route(operations.getLeaderboardName, ({ params }) => profiles.leaderboardName(params.username)),
  ];
}

/** The gateway waits 5 s, and the session check takes up to 2 s. */
const UPDATE_TIMEOUT_MS = 2500;

/** Has its own timeout, since it may request Discord. An update that timed out is never applied later. */
export function updateProfileRoute(updates: ProfileUpdater): Route {
  const update = route(operations.updateProfile, async ({ caller, body }) => {
    const signal = AbortSignal.timeout(UPDATE_TIMEOUT_MS);
    return { body: { success: true as const, profile: await updates.update(caller.username, body, signal) } };
  });
  return routeTimeout(update, UPDATE_TIMEOUT_MS);
}
