import { operations } from '@lobbystats/contracts';
import { inTime, route, type Route } from '@lobbystats/service-kit';
import type { ReadProfile } from '../domain/read-profile.ts';
import type { UpdateProfile } from '../domain/update-profile.ts';

/** The routes that tell of one person. */
export function profileRoutes(people: ReadProfile): Route[] {
  return [
    route(operations.getUserProfile, ({ params }) => people.profile(params.username)),
    route(operations.getUserGames, ({ params }) => people.games(params.username)),
    route(operations.getLeaderboardName, ({ params }) => people.leaderboardName(params.username)),
  ];
}

/** After the 2 s at most in which the session is checked: the gateway waits for 5 s, and 4.5 s of them are spoken for then. */
const UPDATE_WITHIN_MS = 2500;

/**
 * The route by which people change their own profile. It may take longer than others: it may have to ask Discord. Who is
 * told that it took too long finds nothing changed later on.
 */
export function updateProfileRoute(updates: UpdateProfile): Route {
  const update = route(operations.updateProfile, async ({ caller, body }) => {
    const givenUp = AbortSignal.timeout(UPDATE_WITHIN_MS);
    return { body: { success: true as const, profile: await updates.update(caller.username, body, givenUp) } };
  });
  return inTime(update, UPDATE_WITHIN_MS);
}
