import { MATCH_GAP_SECONDS, nameKey, SLOT_SECONDS, usernameKey, type EpochSeconds } from '@lobbystats/contracts';
import type { Person, World } from '@lobbystats/simulator';

/** What the network's own slots say of somebody, told in the plainest way. */
export interface PersonTruth extends Person {
  /** Slots played, each with its title. */
  readonly played: Map<EpochSeconds, string>;
  /** The last slot in which they were online, in a game or not. */
  lastOnline: EpochSeconds;
  /** What they are in right now; null: in no game. Undefined: offline. */
  now: { readonly titleId: string } | null | undefined;
  /** Slots in which a match that they hosted was seen last, before it was over. */
  readonly hosted: Set<EpochSeconds>;
  /** Slots later than those of matches in which they hosted: that may have been the last of a match. */
  readonly maybeHosted: Set<EpochSeconds>;
}

/** Whom the site knows of, by username key. */
export type PeopleTruth = ReadonlyMap<string, PersonTruth>;

/** Which slots the site has been told of: all of them, both ends included. */
export interface ToldSlots {
  /** Of players. */
  readonly playersFrom: EpochSeconds;
  /** Of matches. */
  readonly matchesFrom: EpochSeconds;
  /** The newest one of matches; default: `to`. Later ones may have been told of, or not. */
  readonly matchesTo?: EpochSeconds;
  /** The newest one. */
  readonly to: EpochSeconds;
}

/** The people of the slots that the site has been told of. */
export function peopleTruth(world: World, told: ToldSlots): PeopleTruth {
  const people = new Map<string, PersonTruth>();
  for (let slot = told.playersFrom; slot <= told.to; slot += SLOT_SECONDS) {
    for (const { player, title } of world.onlineAt(slot)) {
      const person = world.personOf(player);
      const key = usernameKey(person.username);
      const known = people.get(key) ?? unseen(person);
      people.set(key, known);
      if (title !== null) known.played.set(slot, title.titleId);
      known.lastOnline = slot;
      if (slot === told.to) known.now = title;
    }
  }
  const hosts = hostedSlots(world, told);
  const maybe = laterHosts(world, told);
  for (const { gamertag, hosted, maybeHosted } of people.values()) {
    for (const slot of hosts.get(nameKey(gamertag)) ?? []) hosted.add(slot);
    for (const slot of maybe.get(nameKey(gamertag)) ?? []) maybeHosted.add(slot);
  }
  return people;
}

/** Somebody of whom nothing is told but who they are. */
export function unseen(person: Person): PersonTruth {
  return { ...person, played: new Map(), lastOnline: 0, now: undefined, hosted: new Set(), maybeHosted: new Set() };
}

/** The slots with which matches ended, by their hosts: those of which a later slot shows that they are over. */
function hostedSlots(world: World, { matchesFrom, to, matchesTo = to }: ToldSlots): Map<string, Set<EpochSeconds>> {
  const lastSeen = new Map<string, { readonly host: string; readonly slot: EpochSeconds }>();
  const ended = new Map<string, Set<EpochSeconds>>();
  const end = (host: string, slot: EpochSeconds) => {
    const key = nameKey(host);
    ended.set(key, (ended.get(key) ?? new Set()).add(slot));
  };
  for (let slot = matchesFrom; slot <= matchesTo; slot += SLOT_SECONDS) {
    for (const [match, seen] of lastSeen) {
      if (slot - seen.slot <= MATCH_GAP_SECONDS) continue;
      end(seen.host, seen.slot);
      lastSeen.delete(match);
    }
    for (const { titleId, matches } of world.observe(slot).titles) {
      for (const { host } of matches) lastSeen.set(`${titleId} ${host}`, { host, slot });
    }
  }
  return ended;
}

/** Who hosted in which slots, of those with which it isn't known what was told of them. */
function laterHosts(world: World, { to, matchesTo = to }: ToldSlots): Map<string, Set<EpochSeconds>> {
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
export function minutesByTitle({ played }: Pick<PersonTruth, 'played'>): Map<string, number> {
  const minutes = new Map<string, number>();
  for (const titleId of played.values()) minutes.set(titleId, (minutes.get(titleId) ?? 0) + SLOT_SECONDS / 60);
  return minutes;
}

/** The newest slot of a title, or of all. */
export function lastPlayed({ played }: Pick<PersonTruth, 'played'>, titleId?: string): EpochSeconds | undefined {
  const slots = [...played].filter(([, played]) => titleId === undefined || played === titleId).map(([slot]) => slot);
  return slots.length === 0 ? undefined : Math.max(...slots);
}
