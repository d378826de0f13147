import { createHash } from 'node:crypto';
import { cleanUp } from '@lobbystats/test-kit';
import { openSqlitePeopleStore } from '../src/adapters/sqlite/sqlite-people-store.ts';
import type { PlayerSighting, PlayerSpans } from '../src/domain/appearance.ts';
import type { Definitions } from '../src/domain/definitions.ts';
import type { NameHash } from '../src/domain/name-hash.ts';
import { PeopleCatalog } from '../src/domain/people-catalog.ts';
import type { PeopleStore } from '../src/domain/people-store.ts';
import type { Unlock, UserRecord } from '../src/domain/user-record.ts';
import type { UserStore } from '../src/domain/user-store.ts';
import { definitionsOf } from './achievement-builders.ts';

/** The beginning of a UTC day. */
export const DAY = 1_799_971_200;
/** A slot at noon of {@link DAY}: it is now. */
export const NOON = DAY + 43_200;
/** 5 minutes, in seconds. */
export const SLOT = 300;

/** Titles, the lowest titleId first. */
export const [RACING, TENNIS, CHESS] = ['4d530064', '4d530065', '4d530066'] as const;

/** People over an empty store in memory. */
export interface ObservedPeople {
  readonly store: PeopleStore;
  readonly people: PeopleCatalog;
  /** Epoch milliseconds, for the test to move. */
  readonly clock: { nowMs: number };
  user: (key?: string) => Promise<UserRecord | undefined>;
  unlocks: (key?: string) => Promise<Unlock[]>;
  /** The data of the facts of a type that wait in the outbox. */
  told: (type: string) => Promise<unknown[]>;
}

/** Opens a store that is closed after the test. */
export function openPeople(definitions: Definitions = definitionsOf([])): ObservedPeople {
  const store = openSqlitePeopleStore('sqlite::memory:', 'simulated');
  cleanUp(() => store.close());
  const clock = { nowMs: NOON * 1000 };
  return {
    store,
    clock,
    people: peopleOver(store.users, definitions, () => clock.nowMs),
    user: async (key = 'emberfox') => (await store.users.users([key])).get(key),
    unlocks: (key = 'emberfox') => store.users.unlocksOf(key),
    told: async (type) =>
      (await store.outbox.pending(1000)).filter((fact) => fact.type === type).map((fact) => fact.data),
  };
}

/** People over a store, or over what stands in for it. */
export function peopleOver(store: UserStore, definitions: Definitions, clock = () => NOON * 1000): PeopleCatalog {
  return new PeopleCatalog({ store, definitions, nameHash: hashOfTests, clock, origin: 'simulated' });
}

/** Tells names from each other, as the keyed one does. */
export const hashOfTests: NameHash = {
  user: (key) => createHash('sha256').update(`user:${key}`).digest('hex'),
  gamertag: (key) => createHash('sha256').update(`gamertag:${key}`).digest('hex'),
};

/** Somebody as the feed has them: online in {@link RACING} at noon, where nothing else is said. */
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

/** A look at the feed; it was made as the last of them was seen. */
export function look(...players: readonly PlayerSighting[]) {
  return { at: Math.max(...players.map(({ lastSeenAt }) => lastSeenAt)), players };
}

/** Somebody who was online for so many slots from an instant on. */
export function spans(...stretches: readonly { titleId?: string | null; from: number; slots?: number }[]): PlayerSpans {
  return {
    username: 'EmberFox',
    gamertag: 'Ember Fox',
    verified: true,
    spans: stretches.map(({ titleId = RACING, from, slots = 1 }) => ({ titleId, from, to: from + (slots - 1) * SLOT })),
  };
}

/** A message of past play. */
export function past(...players: readonly PlayerSpans[]) {
  return { at: NOON, players };
}
