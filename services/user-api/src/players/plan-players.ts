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

/** The plan of a commit that changes players, and what their users unlock by it. */
export function planPlayers(
  players: readonly PlayerRecord[],
  { owners, unlockTimes }: PlayerState,
  timesOf: (player: PlayerRecord) => FulfilmentTimes,
): UserCommitPlan {
  const earned = players.flatMap((player) => {
    const users = owners.get(player.key) ?? [];
    const times = users.length === 0 ? undefined : timesOf(player);
    return times === undefined ? [] : users.map((user) => earn(user, times, unlockTimes.get(user.key)));
  });
  const changed = earned.filter(({ unlocks, moved }) => unlocks.length + moved.length > 0);
  return {
    ...EMPTY_PLAN,
    players,
    users: changed.map(({ user }) => user),
    unlocks: changed.flatMap(({ unlocks }) => unlocks),
    movedUnlocks: changed.flatMap(({ moved }) => moved),
  };
}
