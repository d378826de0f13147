import { operations } from '@lobbystats/contracts';
import { inTime, route, type Route } from '@lobbystats/service-kit';
import type { ReadProfile } from '../domain/read-profile.ts';
import type { UpdateProfile } from '../domain/update-profile.ts';

export function profileRoutes(people: ReadProfile): Route[] {
  return [
    route(operations.getUserProfile, ({ params }) => people.profile(params.username)),
    route(operations.getUserGames, ({ params }) => people.games(params.username)),
    route(operations.getLeaderboardName, ({ params }) => people.leaderboardName(params.username)),
  ];
}

/** The gateway waits 5 s, and the session check takes up to 2 s. */
const UPDATE_WITHIN_MS = 2500;

/** Its own time limit, since it may ask Discord. An update that timed out is never applied later. */
export function updateProfileRoute(updates: UpdateProfile): Route {
  const update = route(operations.updateProfile, async ({ caller, body }) => {
    const givenUp = AbortSignal.timeout(UPDATE_WITHIN_MS);
    return { body: { success: true as const, profile: await updates.update(caller.username, body, givenUp) } };
  });
  return inTime(update, UPDATE_WITHIN_MS);
}
