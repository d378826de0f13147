import { earn, type FulfilmentTimes, type UnlockTimes } from '../achievements/fulfilment-times.ts';
import type { PlayerRecord, UserRecord } from '../users/user-record.ts';
import { EMPTY_PLAN, type UserCommitPlan } from '../users/user-commit-plan.ts';

export interface PlayerState {
  readonly players: ReadonlyMap<string, PlayerRecord>;
  readonly owners: ReadonlyMap<string, readonly UserRecord[]>;
  /** The owners' unlocks. */
  readonly unlockTimes: ReadonlyMap<string, UnlockTimes>;
  readonly erasedKeys: ReadonlySet<string>;
}

/** Undefined for the name of an erased user. */
export function knownPlayer({ players, erasedKeys }: PlayerState, key: string): PlayerRecord | undefined {
  const player = players.get(key);
  if (player !== undefined) return player;
  return erasedKeys.has(key) ? undefined : { key, standings: new Map(), hosted: 0 };
}

type TimesOf = (player: PlayerRecord) => FulfilmentTimes;

/**
 * The plan of a commit that changes players, and what their users unlock by it.
 *
 * @param timesBefore of the players as they are stored, where they may lose something
 */
export function planPlayers(
  players: readonly PlayerRecord[],
  { owners, unlockTimes, players: stored }: PlayerState,
  timesOf: TimesOf,
  timesBefore?: TimesOf,
): UserCommitPlan {
  const earned = players.flatMap((player) => {
    const users = owners.get(player.key) ?? [];
    const times = users.length === 0 ? undefined : timesOf(player);
    if (times === undefined) return [];
    const known = stored.get(player.key);
    const before = known && timesBefore?.(known);
    return users.map((user) => earn(user, times, unlockTimes.get(user.key), before));
  });
  const changed = earned.filter(({ unlocks, moved, lost }) => unlocks.length + moved.length + lost.length > 0);
  return {
    ...EMPTY_PLAN,
    players,
    users: changed.map(({ user }) => user),
    unlocks: changed.flatMap(({ unlocks }) => unlocks),
    movedUnlocks: changed.flatMap(({ moved }) => moved),
    lostUnlocks: changed.flatMap(({ lost }) => lost),
  };
}
