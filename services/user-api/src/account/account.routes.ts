import { operations, usernameKey } from '@lobbystats/contracts';
import { AppError, hasCode } from '@lobbystats/contracts/errors';
import { route, routeTimeout, type Route } from '@lobbystats/service-kit';
import { createSemaphore, type Semaphore } from '@lobbystats/service-kit/concurrency';
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

/** Writes of one account that wait, and how long: less than a response may take. */
const [WAITING_MAX, WAIT_MS] = [40, 600];

/**
 * Returns the routes, whose writes of one account run one after the other: in parallel they would conflict in the store,
 * and take its connections from other accounts.
 */
export function oneWriteAtATime(routes: readonly Route[]): Route[] {
  const accounts = new Map<string, Semaphore>();
  return routes.map((route) => {
    const { operation, handler } = route;
    if (operation.method === 'GET' || operation.session !== 'required') return route;
    return {
      ...route,
      handler: async (input) => {
        const key = usernameKey(input.caller?.username ?? '');
        const writes = accounts.get(key) ?? createSemaphore({ ...ONE, waitMs: WAIT_MS, createError: tooMany });
        accounts.set(key, writes);
        try {
          return await writes.run(handler, input);
        } finally {
          if (writes.running + writes.waiting === 0) accounts.delete(key);
        }
      },
    };
  });
}

const ONE = { permits: 1, maxWaiting: WAITING_MAX };

function tooMany(): AppError {
  return new AppError('unavailable', 'Too many changes of this account at once, try again');
}
