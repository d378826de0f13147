import { MATCH_GAP_SECONDS, nameKey, SLOT_SECONDS, usernameKey, type EpochSeconds } from '@lobbystats/contracts';
import type { User, World } from '@lobbystats/simulator';

/** Expected activity of a user, by a simple reference implementation. */
export interface ExpectedUser extends User {
  /** Played slots with their titles. */
  readonly playedSlots: Map<EpochSeconds, string>;
  /** The last slot in which they were online, in a game or not. */
  lastOnline: EpochSeconds;
  /** Current title; null: online without a title; undefined: offline. */
  now: { readonly titleId: string } | null | undefined;
  /** Last slots of ended matches that the user hosted. */
  readonly hostedSlots: Set<EpochSeconds>;
  /** Slots after `matchesTo` in which the user hosted: each may have been the last of a match. */
  readonly maybeHostedSlots: Set<EpochSeconds>;
}

/** All users of the site, by username key. */
export type ExpectedUsers = ReadonlyMap<string, ExpectedUser>;

/** Intervals of published slots, both ends inclusive. */
export interface PublishedSlots {
  /** First slot of players. */
  readonly playersFrom: EpochSeconds;
  /** First slot of matches. */
  readonly matchesFrom: EpochSeconds;
  /** The newest slot of matches; default: `to`. Later ones may have been published or not. */
  readonly matchesTo?: EpochSeconds;
  /** The newest slot. */
  readonly to: EpochSeconds;
}

/** The users of the published slots. */
export function expectedUsers(world: World, published: PublishedSlots): ExpectedUsers {
  const users = new Map<string, ExpectedUser>();
  for (let slot = published.playersFrom; slot <= published.to; slot += SLOT_SECONDS) {
    for (const { player, title } of world.onlineAt(slot)) {
      const user = world.userOf(player);
      const key = usernameKey(user.username);
      const known = users.get(key) ?? unseenUser(user);
      users.set(key, known);
      if (title !== null) known.playedSlots.set(slot, title.titleId);
      known.lastOnline = slot;
      if (slot === published.to) known.now = title;
    }
  }
  const hosts = findHostedSlots(world, published);
  const maybe = findLaterHosts(world, published);
  for (const { gamertag, hostedSlots, maybeHostedSlots } of users.values()) {
    for (const slot of hosts.get(nameKey(gamertag)) ?? []) hostedSlots.add(slot);
    for (const slot of maybe.get(nameKey(gamertag)) ?? []) maybeHostedSlots.add(slot);
  }
  return users;
}

/** A user without any activity. */
function unseenUser(user: User): ExpectedUser {
  return {
    ...user,
    playedSlots: new Map(),
    lastOnline: 0,
    now: undefined,
    hostedSlots: new Set(),
    maybeHostedSlots: new Set(),
  };
}

/** The last slots of ended matches, by host. */
function findHostedSlots(
  world: World,
  { matchesFrom, to, matchesTo = to }: PublishedSlots,
): Map<string, Set<EpochSeconds>> {
  const lastSeen = new Map<string, { readonly host: string; readonly slot: EpochSeconds }>();
  const ended = new Map<string, Set<EpochSeconds>>();
  const end = (host: string, slot: EpochSeconds) => {
    const key = nameKey(host);
    ended.set(key, (ended.get(key) ?? new Set()).add(slot));
  };
  for (let slot = matchesFrom; slot <= matchesTo; slot += SLOT_SECONDS) {
    for (const { titleId, matches } of world.observe(slot).titles) {
      for (const { host } of matches) lastSeen.set(`${titleId} ${host}`, { host, slot });
    }
    for (const [match, seen] of lastSeen) {
      if (slot - seen.slot < MATCH_GAP_SECONDS) continue;
      end(seen.host, seen.slot);
      lastSeen.delete(match);
    }
  }
  return ended;
}

/** Hosts in the slots that may or may not have been published. */
function findLaterHosts(world: World, { to, matchesTo = to }: PublishedSlots): Map<string, Set<EpochSeconds>> {
  const hosts = new Map<string, Set<EpochSeconds>>();
  if (matchesTo === to) return hosts;
  for (let slot = matchesTo - MATCH_GAP_SECONDS; slot <= to; slot += SLOT_SECONDS) {
    for (const { host } of world.observe(slot).titles.flatMap(({ matches }) => matches)) {
      const key = nameKey(host);
      hosts.set(key, (hosts.get(key) ?? new Set()).add(slot));
    }
  }
  return hosts;
}

/** Minutes played, by title. */
export function minutesByTitle({ playedSlots }: Pick<ExpectedUser, 'playedSlots'>): Map<string, number> {
  const minutes = new Map<string, number>();
  for (const titleId of playedSlots.values()) minutes.set(titleId, (minutes.get(titleId) ?? 0) + SLOT_SECONDS / 60);
  return minutes;
}

/** The newest slot of a title, or of all. */
export function lastPlayed(
  { playedSlots }: Pick<ExpectedUser, 'playedSlots'>,
  titleId?: string,
): EpochSeconds | undefined {
  const slots = [...playedSlots]
    .filter(([, played]) => titleId === undefined || played === titleId)
    .map(([slot]) => slot);
  return slots.length === 0 ? undefined : Math.max(...slots);
}
