import { createHash } from 'node:crypto';
import { cleanUp } from '@lobbystats/test-kit';
import { openSqliteUserDatabase } from '../src/user-database.sqlite.ts';
import type { PlayerSighting, PlayerSpans } from '../src/observations/user-observation.ts';
import type { Definitions } from '../src/definitions/definitions.ts';
import type { NameHash } from '../src/users/erased-users.ts';
import { UserCatalog, type UserCatalogOptions } from '../src/observations/user-catalog.ts';
import type { UserDatabase } from '../src/user-database.ts';
import type { Unlock, UserRecord } from '../src/users/user-record.ts';
import type { UserStore } from '../src/users/user-store.ts';
import { definitionsOf } from './achievement-builders.ts';

/** The beginning of a UTC day. */
export const DAY = 1_799_971_200;
/** The present: the slot at noon of {@link DAY}. */
export const NOON = DAY + 43_200;
/** 5 minutes, in seconds. */
export const SLOT = 300;

/** Titles, the lowest titleId first. */
export const [RACING, TENNIS, CHESS] = ['4d530064', '4d530065', '4d530066'] as const;

/** A user catalog with an empty store in memory. */
export interface ObservedUsers {
  readonly store: UserDatabase;
  readonly catalog: UserCatalog;
  /** Epoch milliseconds, for the test to move. */
  readonly clock: { nowMs: number };
  user: (key?: string) => Promise<UserRecord | undefined>;
  unlocks: (key?: string) => Promise<Unlock[]>;
  /** Returns the data of the facts of a type in the outbox. */
  pendingFacts: (type: string) => Promise<unknown[]>;
}

/** Opens a store that is closed after the test. */
export function openUsers(definitions: Definitions = definitionsOf([])): ObservedUsers {
  const store = openSqliteUserDatabase('sqlite::memory:', 'simulated');
  cleanUp(() => store.close());
  const clock = { nowMs: NOON * 1000 };
  return {
    store,
    clock,
    catalog: createCatalog(store.users, definitions, () => clock.nowMs),
    user: async (key = 'emberfox') => (await store.users.users([key])).get(key),
    unlocks: (key = 'emberfox') => store.users.unlocksOf(key),
    pendingFacts: async (type) =>
      (await store.outbox.pending(1000)).filter((fact) => fact.type === type).map((fact) => fact.data),
  };
}

/** Creates a user catalog on a store or a test double. */
export function createCatalog(
  store: UserStore,
  definitions: Definitions,
  clock = () => NOON * 1000,
  newUsers?: UserCatalogOptions['newUsers'],
  newHosts?: UserCatalogOptions['newHosts'],
): UserCatalog {
  return new UserCatalog({
    ...{ store, definitions, nameHash: testNameHash, clock, origin: 'simulated' },
    ...(newUsers && { newUsers }),
    ...(newHosts && { newHosts }),
  });
}

/** Hashes names without a key. */
export const testNameHash: NameHash = {
  user: (key) => createHash('sha256').update(`user:${key}`).digest('hex'),
  gamertag: (key) => createHash('sha256').update(`gamertag:${key}`).digest('hex'),
};

/** Returns a sighting of a user online in {@link RACING} at noon, with the given changes. */
export function sighting(changes: Partial<PlayerSighting> = {}): PlayerSighting {
  return {
    username: 'EmberFox',
    gamertag: 'Ember Fox',
    verified: true,
    isOnline: true,
    titleId: RACING,
    game: 'Harbor Racing',
    lastSeenAt: NOON,
    ...changes,
  };
}

/** Returns a feed poll at the time of its latest sighting. */
export function poll(...players: readonly PlayerSighting[]) {
  return { at: Math.max(...players.map(({ lastSeenAt }) => lastSeenAt)), players };
}

/** Returns spans of a user, each with a start and a number of slots. */
export function spans(...stretches: readonly { titleId?: string | null; from: number; slots?: number }[]): PlayerSpans {
  return {
    username: 'EmberFox',
    gamertag: 'Ember Fox',
    verified: true,
    spans: stretches.map(({ titleId = RACING, from, slots = 1 }) => ({ titleId, from, to: from + (slots - 1) * SLOT })),
  };
}

/** Returns the content of a play time message. */
export function playMessage(...players: readonly PlayerSpans[]) {
  return { at: NOON, players };
}
