import { operations } from '@lobbystats/contracts';
import { route, type Route } from '@lobbystats/service-kit';
import type { Following } from './following.ts';

export function followingRoutes(following: Following): Route[] {
  return [
    route(operations.listFollowing, async ({ caller }) => ({ body: await following.list(caller.username) })),
    route(operations.follow, async ({ caller, body }) => ({ body: await following.follow(caller.username, body) })),
    route(operations.unfollow, async ({ caller, params: { kind, id } }) => ({
      body: { removed: await following.unfollow(caller.username, kind, id) },
    })),
    route(operations.setQuietHours, async ({ caller, body: { quietHours } }) => {
      await following.setQuietHours(caller.username, quietHours);
      return { body: { quietHours } };
    }),
    route(operations.listNotifications, async ({ caller, query: { limit } }) => ({
      body: { notifications: await following.notifications(caller.username, limit) },
    })),
  ];
}
