import { operations } from '@lobbystats/contracts';
import { route, type Route } from '@lobbystats/service-kit';
import { findGamertagUser } from './find-gamertag-user.ts';
import type { UserStore } from './user-store.ts';

export function playerRoutes(users: Pick<UserStore, 'usersByGamertag'>): Route[] {
  return [
    route(operations.getGamertagUser, async ({ params }) => {
      const user = await findGamertagUser(users, params.player);
      return { body: { username: user?.username ?? null, gamertag: user?.gamertag ?? null } };
    }),
  ];
}
