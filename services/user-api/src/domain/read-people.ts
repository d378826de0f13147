import type { EpochSeconds } from '@lobbystats/contracts';
import { earnableAt, type Appearance } from './appearance.ts';
import type { PlayHistory } from './credit-titles.ts';
import { firstDayKept } from './day-retention.ts';
import type { NameHash } from './name-hash.ts';
import type { DayTitles } from './play-day.ts';
import { playerKey } from './player-key.ts';
import type { KnownPlayers } from './players-draft.ts';
import { dayOf } from './slot-bits.ts';
import type { PlayDay, PlayerRecord, UserRecord } from './user-record.ts';
import type { DayKey, UserStore } from './user-store.ts';

export interface KnownPeople {
  readonly users: ReadonlyMap<string, UserRecord>;
  readonly forgotten: ReadonlySet<string>;
  readonly days: ReadonlyMap<number, ReadonlyMap<string, DayTitles>>;
  readonly players: ReadonlyMap<string, PlayerRecord>;
}

export type People = ReadonlyMap<string, Appearance>;

export async function readPeople(store: UserStore, hash: NameHash, people: People): Promise<KnownPeople> {
  const users = await store.users([...people.keys()]);
  const wanted: DayKey[] = [];
  const absent: string[] = [];
  const gamertags = new Set<string>();
  for (const { key, claims, likeness } of people.values()) {
    for (const day of claims.keys()) wanted.push({ key, day });
    const user = users.get(key);
    if (user === undefined) absent.push(key);
    if (user?.gamertag === likeness.gamertag) continue;
    const player = playerKey(likeness.gamertag);
    if (player !== undefined) gamertags.add(player);
  }
  return {
    users,
    forgotten: await forgottenAmong(absent, (key) => hash.user(key), store),
    days: byDay(wanted.length === 0 ? [] : await store.playDays(wanted)),
    players: gamertags.size === 0 ? new Map() : await store.players([...gamertags]),
  };
}

export async function forgottenAmong(
  keys: readonly string[],
  hashOf: (key: string) => string,
  store: Pick<UserStore, 'forgotten'>,
): Promise<Set<string>> {
  if (keys.length === 0) return new Set();
  const hashes = new Map(keys.map((key) => [key, hashOf(key)]));
  const forgotten = await store.forgotten([...hashes.values()]);
  return new Set(keys.filter((key) => forgotten.has(hashes.get(key) ?? '')));
}

export async function readPlayers(store: UserStore, hash: NameHash, keys: readonly string[]): Promise<KnownPlayers> {
  const players = await store.players(keys);
  const absent = keys.filter((key) => !players.has(key));
  return {
    players,
    owners: await store.usersByGamertag(keys),
    forgotten: await forgottenAmong(absent, (key) => hash.gamertag(key), store),
  };
}

export async function readHistories(
  store: Pick<UserStore, 'playDays'>,
  keys: readonly string[],
  now: EpochSeconds,
): Promise<Map<string, PlayHistory>> {
  const firstDay = firstDayKept(now);
  const last = earnableAt(now).last;
  const days = Array.from({ length: dayOf(last) - firstDay + 1 }, (_, index) => firstDay + index);
  const found = byDay(await store.playDays(keys.flatMap((key) => days.map((day) => ({ key, day })))));
  return new Map(keys.map((key) => [key, { firstDay, days: daysOf(key, found) }]));
}

function daysOf(userKey: string, days: KnownPeople['days']): Map<number, DayTitles> {
  const ofUser = new Map<number, DayTitles>();
  for (const [day, users] of days) {
    const titles = users.get(userKey);
    if (titles !== undefined) ofUser.set(day, titles);
  }
  return ofUser;
}

function byDay(days: readonly PlayDay[]): Map<number, Map<string, DayTitles>> {
  const found = new Map<number, Map<string, DayTitles>>();
  for (const { userKey, day, titles } of days) {
    let ofDay = found.get(day);
    if (ofDay === undefined) found.set(day, (ofDay = new Map<string, DayTitles>()));
    ofDay.set(userKey, titles);
  }
  return found;
}
