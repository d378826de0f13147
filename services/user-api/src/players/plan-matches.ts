import type { EpochSeconds } from '@lobbystats/contracts';
import type { CreditWindow } from '../play-time/user-observation.ts';
import type { Definitions } from '../achievements/definitions.ts';
import { playerKey, type HostDay } from '../users/user-record.ts';
import { PlayerChangeSet, type PlayerState } from './player-change-set.ts';
import { DAY_BYTES, dayOf, hasBit, indexOf, setBit } from '../play-time/play-day.ts';
import type { DayKey } from '../users/user-store.ts';
import type { UserCommitPlan } from '../users/user-commit-plan.ts';

const NO_SLOTS = new Uint8Array(DAY_BYTES);

export interface EndedMatch {
  readonly host: string;
  readonly endedAt: EpochSeconds;
}

interface Hosting {
  readonly key: string;
  readonly endedAt: EpochSeconds;
  readonly at: EpochSeconds;
}

export interface Hostings {
  readonly hostings: readonly Hosting[];
  readonly refused: number;
}

export function hostingsOf(
  messages: readonly { readonly at: EpochSeconds; readonly matches: readonly EndedMatch[] }[],
  { first, last }: CreditWindow,
): Hostings {
  const hostings: Hosting[] = [];
  let refused = 0;
  for (const { at, matches } of messages.toSorted((a, b) => a.at - b.at)) {
    for (const { host, endedAt } of matches) {
      const key = playerKey(host);
      if (key === undefined) continue;
      if (endedAt < first || endedAt > last) refused += 1;
      else hostings.push({ key, endedAt, at });
    }
  }
  return { hostings, refused };
}

export function hostDaysOf(hostings: readonly Hosting[]): DayKey[] {
  const keys = hostings.map(({ key, endedAt }) => ({ key, day: dayOf(endedAt) }));
  return [...new Map(keys.map((one) => [idOf(one), one])).values()];
}

/** New hosts of a day who are no user's gamertag. Each remains until 30 days after the last match. */
export const NEW_HOSTS = { base: 100_000, share: 0 };

export interface HostAdmission {
  /** Without those of new hosts above the limit. */
  readonly hostings: readonly Hosting[];
  readonly added: number;
  readonly refused: number;
}

/** Limits what pages with ever new hosts add to the store. */
export function admitHosts(
  hostings: readonly Hosting[],
  { players, owners, erasedKeys }: PlayerState,
  allowance: number,
): HostAdmission {
  const isNew = (key: string) => !players.has(key) && !owners.has(key) && !erasedKeys.has(key);
  const fresh = [...new Set(hostings.map(({ key }) => key))].filter(isNew);
  const excess = new Set(fresh.slice(allowance));
  const admitted = hostings.filter(({ key }) => !excess.has(key));
  return { hostings: admitted, added: fresh.length - excess.size, refused: excess.size };
}

/** Counts each match of a player and slot once. */
export function planMatches(
  hostings: readonly Hosting[],
  known: PlayerState & { readonly days: readonly HostDay[] },
  definitions: Definitions,
): UserCommitPlan {
  const draft = new PlayerChangeSet(known);
  const before = new Map(known.days.map((day) => [idOf({ key: day.playerKey, day: day.day }), day]));
  const changed = new Map<string, HostDay>();
  for (const { key, endedAt, at } of hostings) {
    const player = draft.player(key);
    if (player === undefined) continue;
    const day = dayOf(endedAt);
    const id = idOf({ key, day });
    const slots = changed.get(id)?.slots ?? new Uint8Array(before.get(id)?.slots ?? NO_SLOTS);
    if (hasBit(slots, indexOf(endedAt))) continue;
    setBit(slots, indexOf(endedAt));
    changed.set(id, { playerKey: key, day, slots });
    const host = { ...player, hosted: player.hosted + 1 };
    draft.put(host);
    draft.evaluate(host, definitions, at);
  }
  return { ...draft.toPlan(), hostDays: [...changed.values()] };
}

function idOf({ key, day }: DayKey): string {
  return `${day}:${key}`;
}
