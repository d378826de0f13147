import type { EpochSeconds } from '@lobbystats/contracts';
import { creditWindowAt, type UserObservation } from './user-observation.ts';
import type { Hosting, UnlockTimes } from '../achievements/fulfilment-times.ts';
import { firstRetainedDay } from '../play-time/day-retention.ts';
import { findErasedKeys, type NameHash } from '../users/erased-users.ts';
import { dayOf, type DayTitles } from '../users/play-day.ts';
import type { PlayHistory } from '../play-time/credit-titles.ts';
import { playerKey, type PlayDay, type PlayerRecord, type UserRecord } from '../users/user-record.ts';
import type { PlayerState } from './plan-players.ts';
import type { DayKey, UserStore } from '../users/user-store.ts';

export interface UserState {
  readonly users: ReadonlyMap<string, UserRecord>;
  readonly erasedKeys: ReadonlySet<string>;
  readonly days: ReadonlyMap<number, ReadonlyMap<string, DayTitles>>;
  readonly players: ReadonlyMap<string, PlayerRecord>;
}

/** Data that is read only of users who unlock something, or whose slots did not come in order. */
export interface UserHistories {
  readonly play: ReadonlyMap<string, PlayHistory>;
  readonly unlockTimes: ReadonlyMap<string, UnlockTimes>;
  /** By player. */
  readonly hosting: ReadonlyMap<string, Hosting>;
}

export type ObservationsByUser = ReadonlyMap<string, UserObservation>;

export async function readUserState(
  store: UserStore,
  hash: NameHash,
  observations: ObservationsByUser,
): Promise<UserState> {
  const users = await store.users([...observations.keys()]);
  const dayKeys: DayKey[] = [];
  const absent: string[] = [];
  const gamertags = new Set<string>();
  for (const { key, claims, snapshot } of observations.values()) {
    for (const day of claims.keys()) dayKeys.push({ key, day });
    const user = users.get(key);
    if (user === undefined) absent.push(key);
    if (user?.gamertag === snapshot.gamertag) continue;
    const player = playerKey(snapshot.gamertag);
    if (player !== undefined) gamertags.add(player);
  }
  return {
    users,
    erasedKeys: await findErasedKeys(absent, (key) => hash.user(key), store),
    days: groupByDay(dayKeys.length === 0 ? [] : await store.playDays(dayKeys)),
    players: gamertags.size === 0 ? new Map() : await store.players([...gamertags]),
  };
}

export async function readPlayerState(store: UserStore, hash: NameHash, keys: readonly string[]): Promise<PlayerState> {
  const players = await store.players(keys);
  const absent = keys.filter((key) => !players.has(key));
  const owners = await store.usersByGamertag(keys);
  const userKeys = [...owners.values()].flatMap((users) => users.map(({ key }) => key));
  return {
    players,
    owners,
    unlockTimes: await store.unlockTimes(userKeys),
    erasedKeys: await findErasedKeys(absent, (key) => hash.gamertag(key), store),
  };
}

/** All that the times of unlocks depend on. */
export async function readUserHistories(
  store: UserStore,
  userKeys: readonly string[],
  players: ReadonlyMap<string, PlayerRecord>,
  now: EpochSeconds,
): Promise<UserHistories> {
  const hosts = [...players.values()].filter(({ hosted }) => hosted > 0);
  const days = retainedDays(now);
  const hostDays = await store.hostDays(hosts.flatMap(({ key }) => days.map((day) => ({ key, day }))));
  const byPlayer = Map.groupBy(hostDays, (day) => day.playerKey);
  const firstDay = firstRetainedDay(now);
  return {
    play: await readPlayHistories(store, userKeys, now),
    unlockTimes: await store.unlockTimes(userKeys),
    hosting: new Map(hosts.map(({ key, hosted }) => [key, { hosted, days: byPlayer.get(key) ?? [], firstDay }])),
  };
}

export async function readPlayHistories(
  store: Pick<UserStore, 'playDays'>,
  keys: readonly string[],
  now: EpochSeconds,
): Promise<Map<string, PlayHistory>> {
  const firstDay = firstRetainedDay(now);
  const days = retainedDays(now);
  const found = groupByDay(await store.playDays(keys.flatMap((key) => days.map((day) => ({ key, day })))));
  return new Map(keys.map((key) => [key, { firstDay, days: daysOf(key, found) }]));
}

export function retainedDays(now: EpochSeconds): number[] {
  const firstDay = firstRetainedDay(now);
  return Array.from({ length: dayOf(creditWindowAt(now).last) - firstDay + 1 }, (_, index) => firstDay + index);
}

function daysOf(userKey: string, days: UserState['days']): Map<number, DayTitles> {
  const ofUser = new Map<number, DayTitles>();
  for (const [day, users] of days) {
    const titles = users.get(userKey);
    if (titles !== undefined) ofUser.set(day, titles);
  }
  return ofUser;
}

function groupByDay(days: readonly PlayDay[]): Map<number, Map<string, DayTitles>> {
  const found = new Map<number, Map<string, DayTitles>>();
  for (const { userKey, day, titles } of days) {
    let ofDay = found.get(day);
    if (ofDay === undefined) found.set(day, (ofDay = new Map<string, DayTitles>()));
    ofDay.set(userKey, titles);
  }
  return found;
}
