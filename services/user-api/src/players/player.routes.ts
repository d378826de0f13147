import { operations } from '@lobbystats/contracts';
import { route, type Route } from '@lobbystats/service-kit';
import type { UserStore } from '../users/user-store.ts';
import { gamertagUser } from './gamertag-user.ts';

export function playerRoutes(users: Pick<UserStore, 'usersByGamertag'>): Route[] {
  return [route(operations.getGamertagUser, ({ params }) => gamertagUser(users, params.player))];
}
