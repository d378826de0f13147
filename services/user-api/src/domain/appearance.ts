import {
  SLOT_SECONDS,
  plainUsername,
  slotOf,
  SNAPSHOT_RETENTION_SECONDS,
  usernameKey,
  type EpochSeconds,
} from '@lobbystats/contracts';
import { outranks, type Likeness } from './sight.ts';
import { DAY_BYTES, dayOf, indexOf, setBits } from './slot-bits.ts';

interface Identity {
  readonly username: string;
  /** `""` when unknown. */
  readonly gamertag: string;
  readonly verified: boolean;
}

export interface PlayerSighting extends Identity {
  readonly isOnline: boolean;
  readonly titleId: string | null;
  readonly game: string | null;
  readonly lastSeenAt: EpochSeconds;
}

export interface PlayerSpans extends Identity {
  readonly spans: readonly PlaySpan[];
}

interface PlaySpan {
  /** null: in no game. */
  readonly titleId: string | null;
  readonly from: EpochSeconds;
  readonly to: EpochSeconds;
}

type DayClaims = Map<string, Uint8Array>;

export interface Appearance {
  readonly key: string;
  likeness: Likeness;
  readonly claims: Map<number, DayClaims>;
}

export interface Appearances {
  readonly people: Map<string, Appearance>;
  refused: number;
}

/** Slots outside are refused. */
export interface Earnable {
  readonly first: EpochSeconds;
  readonly last: EpochSeconds;
}

/** The last 30 days and the next one, since a clock may be slightly behind. */
export function earnableAt(now: EpochSeconds): Earnable {
  const first = Math.ceil((now - SNAPSHOT_RETENTION_SECONDS) / SLOT_SECONDS) * SLOT_SECONDS;
  return { first, last: slotOf(now) + SLOT_SECONDS };
}

/** Being online in a game earns the slot. Sightings in the future are refused. */
export function fromSightings(sightings: readonly PlayerSighting[], earnable: Earnable): Appearances {
  const found: Appearances = { people: new Map(), refused: 0 };
  for (const { lastSeenAt: at, isOnline, titleId, game, ...identity } of sightings) {
    const slot = slotOf(at);
    if (slot > earnable.last || !isNamed(identity)) {
      found.refused += 1;
      continue;
    }
    const sight = { at, isOnline, titleId, game: game?.toWellFormed() ?? null };
    const person = appear(found, likenessOf(identity, sight));
    if (isOnline && titleId !== null) claim(found, person, { titleId, from: slot, to: slot }, earnable);
  }
  return found;
}

/** Each slot of a span is earned; the last one is the last sighting. */
export function fromSpans(players: readonly PlayerSpans[], earnable: Earnable): Appearances {
  const found: Appearances = { people: new Map(), refused: 0 };
  for (const { spans, ...identity } of players) {
    for (const { titleId, from, to } of spans) {
      if (from > earnable.last || to < from || !isNamed(identity)) {
        found.refused += slotsIn(from, to);
        continue;
      }
      const at = Math.min(to, earnable.last);
      const person = appear(found, likenessOf(identity, { at, isOnline: false, titleId: null, game: null }));
      if (titleId !== null) claim(found, person, { titleId, from, to }, earnable);
    }
  }
  return found;
}

function isNamed({ username }: Identity): boolean {
  return plainUsername(username) !== '';
}

function likenessOf({ username, gamertag, verified }: Identity, sight: Likeness['sight']): Likeness {
  return { username: plainUsername(username), gamertag: gamertag.toWellFormed(), verified, sight };
}

function appear({ people }: Appearances, likeness: Likeness): Appearance {
  const key = usernameKey(likeness.username);
  const known = people.get(key);
  if (known === undefined) {
    const person: Appearance = { key, likeness, claims: new Map() };
    people.set(key, person);
    return person;
  }
  if (outranks(likeness, known.likeness)) known.likeness = likeness;
  return known;
}

function claim(
  found: Appearances,
  { claims }: Appearance,
  { titleId, from, to }: { titleId: string; from: EpochSeconds; to: EpochSeconds },
  { first, last }: Earnable,
): void {
  const [begin, end] = [Math.max(from, first), Math.min(to, last)];
  found.refused += slotsIn(from, to) - slotsIn(begin, end);
  if (end < begin) return;
  for (let day = dayOf(begin); day <= dayOf(end); day += 1) {
    let titles = claims.get(day);
    if (titles === undefined) claims.set(day, (titles = new Map<string, Uint8Array>()));
    let bits = titles.get(titleId);
    if (bits === undefined) titles.set(titleId, (bits = new Uint8Array(DAY_BYTES)));
    const firstIndex = day === dayOf(begin) ? indexOf(begin) : 0;
    setBits(bits, firstIndex, day === dayOf(end) ? indexOf(end) : DAY_BYTES * 8 - 1);
  }
}

function slotsIn(from: EpochSeconds, to: EpochSeconds): number {
  return Math.max((to - from) / SLOT_SECONDS + 1, 0);
}
