import {
  SLOT_SECONDS,
  normalizeUsername,
  slotOf,
  SNAPSHOT_RETENTION_SECONDS,
  usernameKey,
  type EpochSeconds,
} from '@lobbystats/contracts';
import type { WithdrawnSlots } from '../users/user-store.ts';
import { supersedes, type IdentitySnapshot, type Presence, type UserRecord } from '../users/user-record.ts';
import { DAY_BYTES, dayOf, indexOf, setBits } from '../users/play-day.ts';

/** The gamertag is `""` when unknown. */
type Identity = Pick<UserRecord, 'username' | 'gamertag' | 'verified'>;

export interface PlayerSighting extends Identity, Omit<Presence, 'at'> {
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

export interface UserObservation {
  readonly key: string;
  snapshot: IdentitySnapshot;
  readonly claims: Map<number, DayClaims>;
}

export interface UserObservations {
  readonly users: Map<string, UserObservation>;
  refused: number;
}

/** Slots outside are refused. */
export interface CreditWindow {
  readonly first: EpochSeconds;
  readonly last: EpochSeconds;
  /** Slots within the window that are not earned. */
  readonly withdrawn?: readonly WithdrawnSlots[];
}

/** The last 30 days and the next one, since a clock may be slightly behind. */
export function creditWindowAt(now: EpochSeconds): CreditWindow {
  const first = Math.ceil((now - SNAPSHOT_RETENTION_SECONDS) / SLOT_SECONDS) * SLOT_SECONDS;
  return { first, last: slotOf(now) + SLOT_SECONDS };
}

/** Being online in a game earns the slot. Sightings in the future are refused. */
export function observationsFromSightings(
  sightings: readonly PlayerSighting[],
  earnable: CreditWindow,
): UserObservations {
  const found: UserObservations = { users: new Map(), refused: 0 };
  for (const { lastSeenAt: at, isOnline, titleId, game, ...identity } of sightings) {
    const slot = slotOf(at);
    if (slot > earnable.last || !hasUsername(identity)) {
      found.refused += 1;
      continue;
    }
    const presence = { at, isOnline, titleId, game: game?.toWellFormed() ?? null };
    const observation = upsertObservation(found, snapshotOf(identity, presence));
    if (isOnline && titleId !== null) claimSlots(found, observation, { titleId, from: slot, to: slot }, earnable);
  }
  return found;
}

/** Each slot of a span is earned; the last one is the last sighting. */
export function observationsFromSpans(players: readonly PlayerSpans[], earnable: CreditWindow): UserObservations {
  const found: UserObservations = { users: new Map(), refused: 0 };
  for (const { spans, ...identity } of players) {
    for (const { titleId, from, to } of spans) {
      if (from > earnable.last || to < from || !hasUsername(identity)) {
        found.refused += countSlots(from, to);
        continue;
      }
      const at = Math.min(to, earnable.last);
      const observation = upsertObservation(
        found,
        snapshotOf(identity, { at, isOnline: false, titleId: null, game: null }),
      );
      if (titleId !== null) claimSlots(found, observation, { titleId, from, to }, earnable);
    }
  }
  return found;
}

function hasUsername({ username }: Identity): boolean {
  return normalizeUsername(username) !== '';
}

function snapshotOf(
  { username, gamertag, verified }: Identity,
  presence: IdentitySnapshot['presence'],
): IdentitySnapshot {
  return { username: normalizeUsername(username), gamertag: gamertag.toWellFormed(), verified, presence };
}

function upsertObservation({ users }: UserObservations, snapshot: IdentitySnapshot): UserObservation {
  const key = usernameKey(snapshot.username);
  const known = users.get(key);
  if (known === undefined) {
    const observation: UserObservation = { key, snapshot, claims: new Map() };
    users.set(key, observation);
    return observation;
  }
  if (supersedes(snapshot, known.snapshot)) known.snapshot = snapshot;
  return known;
}

function claimSlots(
  found: UserObservations,
  observation: UserObservation,
  { titleId, from, to }: { titleId: string; from: EpochSeconds; to: EpochSeconds },
  window: CreditWindow,
): void {
  const { first, last, withdrawn = [] } = window;
  const [begin, end] = [Math.max(from, first), Math.min(to, last)];
  found.refused += countSlots(from, to) - countSlots(begin, end);
  if (end < begin) return;
  const gap = withdrawn.find((range) => range.from <= end && begin <= range.to);
  if (gap !== undefined) {
    found.refused += countSlots(Math.max(begin, gap.from), Math.min(end, gap.to));
    claimSlots(found, observation, { titleId, from: begin, to: gap.from - SLOT_SECONDS }, window);
    claimSlots(found, observation, { titleId, from: gap.to + SLOT_SECONDS, to: end }, window);
    return;
  }
  const { claims } = observation;
  for (let day = dayOf(begin); day <= dayOf(end); day += 1) {
    let titles = claims.get(day);
    if (titles === undefined) claims.set(day, (titles = new Map<string, Uint8Array>()));
    let bits = titles.get(titleId);
    if (bits === undefined) titles.set(titleId, (bits = new Uint8Array(DAY_BYTES)));
    const firstIndex = day === dayOf(begin) ? indexOf(begin) : 0;
    setBits(bits, firstIndex, day === dayOf(end) ? indexOf(end) : DAY_BYTES * 8 - 1);
  }
}

function countSlots(from: EpochSeconds, to: EpochSeconds): number {
  return Math.max((to - from) / SLOT_SECONDS + 1, 0);
}
