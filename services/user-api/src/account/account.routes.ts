import { operations } from '@lobbystats/contracts';
import { hasCode } from '@lobbystats/contracts/errors';
import { route, routeTimeout, type Route } from '@lobbystats/service-kit';
import type { Channels } from '../channels/channels.ts';
import type { Following } from '../following/following.ts';
import type { SessionPresence } from '@lobbystats/service-kit/session';
import type { OwnPresence } from './own-presence.ts';
import type { ProfileReader } from '../profiles/profile-reader.ts';
import type { ProfileUpdater } from '../profiles/profile-updater.ts';
import { exportAccount } from './export-account.ts';
import { eraseOwnAccount, type OwnAccountOptions } from './own-account.ts';

/** Everyone who signs in has a profile, also on a network that lists no users. */
export function accountRoutes(
  profiles: ProfileReader,
  updates: Pick<ProfileUpdater, 'create'>,
  following: Pick<Following, 'export'>,
  { store, nameHash, now }: OwnAccountOptions,
  channels: Pick<Channels, 'export'>,
): Route[] {
  return [
    route(operations.getOwnProfile, async ({ caller }) => {
      await updates.create(caller.username);
      return profiles.own(caller.username);
    }),
    route(operations.exportUser, async ({ caller }) => ({
      body: await exportAccount(caller.username, { ...store, nameHash, following, channels }, now()),
    })),
  ];
}

/** The gateway waits 5 s, and the session check takes up to 2 s. */
const AFTER_SESSION_CHECK_MS = 2500;

export function ownPresenceRoute(
  presence: OwnPresence,
  updates: Pick<ProfileUpdater, 'create'>,
  presenceOf: SessionPresence,
): Route {
  const read = route(operations.getOwnPresence, async ({ caller, sessionKey }) => {
    await updates.create(caller.username).catch((error: unknown) => {
      // An erased caller is offline.
      if (!hasCode(error, 'forbidden')) throw error;
    });
    return { body: await presence.of(caller.username, () => presenceOf(sessionKey)) };
  });
  return routeTimeout(read, AFTER_SESSION_CHECK_MS);
}

/** An erasure that timed out may complete later. */
export function eraseAccountRoute(options: OwnAccountOptions): Route {
  const erase = route(operations.eraseMe, async ({ caller, query }) => ({
    body: await eraseOwnAccount(caller.username, query.confirmation, options),
  }));
  return routeTimeout(erase, AFTER_SESSION_CHECK_MS);
}
