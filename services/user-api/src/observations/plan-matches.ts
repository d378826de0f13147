import type { EpochSeconds } from '@lobbystats/contracts';
import type { CreditWindow } from './user-observation.ts';
import type { Definitions } from '../definitions/definitions.ts';
import { fulfilmentTimes } from '../achievements/fulfilment-times.ts';
import { playerKey, type HostDay, type PlayerRecord } from '../users/user-record.ts';
import { knownPlayer, planPlayers, type PlayerState } from './plan-players.ts';
import { clearBit, DAY_BYTES, dayOf, hasBit, indexOf, setBit } from '../users/play-day.ts';
import type { DayKey } from '../users/user-store.ts';
import type { UserCommitPlan } from '../users/user-commit-plan.ts';

const NO_SLOTS = new Uint8Array(DAY_BYTES);

export interface EndedMatch {
  readonly host: string;
  readonly endedAt: EpochSeconds;
  /** It was published, and is no end by what is known now. */
  readonly isRetracted?: boolean;
}

interface Hosting extends Pick<EndedMatch, 'endedAt' | 'isRetracted'> {
  readonly key: string;
}

export interface Hostings {
  readonly hostings: readonly Hosting[];
  readonly refused: number;
}

export function hostingsOf(
  messages: readonly { readonly matches: readonly EndedMatch[] }[],
  { first, last }: CreditWindow,
): Hostings {
  const hostings: Hosting[] = [];
  let refused = 0;
  for (const { matches } of messages) {
    for (const { host, ...end } of matches) {
      const key = playerKey(host);
      if (key === undefined) continue;
      if (end.endedAt < first || end.endedAt > last) refused += 1;
      else hostings.push({ key, ...end });
    }
  }
  return { hostings, refused };
}

/** Returns the days that these change; of players with a user all stored days. */
export function hostDaysOf(
  hostings: readonly Hosting[],
  { owners }: PlayerState,
  retainedDays: readonly number[],
): DayKey[] {
  const keys = hostings.flatMap(({ key, endedAt }) =>
    owners.has(key) ? retainedDays.map((day) => ({ key, day })) : [{ key, day: dayOf(endedAt) }],
  );
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
  const counted = hostings.filter(({ isRetracted }) => isRetracted !== true);
  const fresh = [...new Set(counted.map(({ key }) => key))].filter(isNew);
  const excess = new Set(fresh.slice(allowance));
  const admitted = hostings.filter(({ key }) => !excess.has(key));
  return { hostings: admitted, added: fresh.length - excess.size, refused: excess.size };
}

interface HostState extends PlayerState {
  /** Days that {@link hostDaysOf} names. */
  readonly days: readonly HostDay[];
  readonly firstDay: number;
}

/** Counts each match of a player and slot once, and no match whose end was retracted. */
export function planMatches(hostings: readonly Hosting[], known: HostState, definitions: Definitions): UserCommitPlan {
  const days = new Map(known.days.map((day) => [idOf({ key: day.playerKey, day: day.day }), day]));
  const changed = new Map<string, HostDay>();
  const players = new Map<string, PlayerRecord>();
  for (const { key, endedAt, isRetracted = false } of hostings) {
    const player = players.get(key) ?? knownPlayer(known, key);
    if (player === undefined) continue;
    const day = dayOf(endedAt);
    const id = idOf({ key, day });
    const slots = new Uint8Array(changed.get(id)?.slots ?? days.get(id)?.slots ?? NO_SLOTS);
    if (hasBit(slots, indexOf(endedAt)) !== isRetracted) continue;
    if (isRetracted) clearBit(slots, indexOf(endedAt));
    else setBit(slots, indexOf(endedAt));
    changed.set(id, { playerKey: key, day, slots });
    players.set(key, { ...player, hosted: player.hosted + (isRetracted ? -1 : 1) });
  }
  const timesOf = (all: ReadonlyMap<string, HostDay>) => {
    const byPlayer = Map.groupBy(all.values(), ({ playerKey: key }) => key);
    return ({ key, hosted }: PlayerRecord) =>
      fulfilmentTimes(definitions, { hosting: { hosted, days: byPlayer.get(key) ?? [], firstDay: known.firstDay } });
  };
  const plan = planPlayers([...players.values()], known, timesOf(new Map([...days, ...changed])), timesOf(days));
  return { ...plan, hostDays: [...changed.values()] };
}

function idOf({ key, day }: DayKey): string {
  return `${day}:${key}`;
}
