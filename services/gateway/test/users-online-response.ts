import { operations, type OperationResponse } from '@lobbystats/contracts';
import { route, type Route } from '@lobbystats/service-kit';

export interface WithUsersOnline {
  /** Default: none. */
  usersOnline?: OperationResponse<typeof operations.listUsersOnline>['users'];
}

/** The users online of a stub user-api, in the given order. */
export function usersOnlineRoute(known: WithUsersOnline): Route {
  return route(operations.listUsersOnline, async ({ query: { titleId, limit, offset } }) => {
    const found = (known.usersOnline ?? []).filter((user) => titleId === undefined || user.titleId === titleId);
    const users = found.slice(offset, offset + limit);
    return { body: { slot: null, users, total: found.length, limit, offset, hasMore: offset + limit < found.length } };
  });
}
