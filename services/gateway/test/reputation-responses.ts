import { formatTimestamp, operations, usernameKey } from '@lobbystats/contracts';
import { AppError } from '@lobbystats/contracts/errors';
import { notFound, route, type Route } from '@lobbystats/service-kit';
import { stubRoutes } from './captured-responses.ts';
import { SESSION, type UserData } from './user-responses.ts';

/** The routes of reputation-api: users can rate any user but themselves. */
export function reputationRoutes(known: UserData): Route[] {
  return stubRoutes('reputation-api', reputationResponses(known), known.newest);
}

function reputationResponses(known: UserData): Route[] {
  const totals = { average: 5, ratingCount: 0, effectiveVotes: 10, priorOnly: true };
  const check = (username: string) => {
    const keys = [known.user.username, SESSION.username].map(usernameKey);
    if (!keys.includes(usernameKey(username))) throw notFound('username');
  };
  return [
    route(operations.getReputation, async ({ params, caller }) => {
      check(params.username);
      const viewer = { stars: 4, comment: caller?.username ?? null, createdAt: formatTimestamp(known.newest) };
      return { body: { ...totals, feedback: [], viewer: caller === undefined ? null : viewer } };
    }),
    route(operations.removeRating, async ({ params }) => {
      check(params.username);
      return { body: { success: true as const, reputation: totals } };
    }),
    route(operations.listOwnRatings, async ({ query: { limit, offset } }) => ({
      body: { ratings: [], total: 0, limit, offset, hasMore: false },
      next: { offset: offset + limit },
    })),
    route(operations.reportComment, async () => ({ body: { success: true as const } })),
    route(operations.exportRatings, async () => ({ body: { isBarred: false, ...totals, given: [], received: [] } })),
    route(operations.rateProfile, async ({ params, caller, body }) => {
      check(params.username);
      if (usernameKey(caller.username) === usernameKey(params.username)) {
        throw new AppError('invalid', 'You can not rate yourself');
      }
      const viewer = { stars: body.stars, comment: body.comment, createdAt: formatTimestamp(known.newest) };
      return { body: { success: true as const, reputation: totals, viewer } };
    }),
  ];
}
