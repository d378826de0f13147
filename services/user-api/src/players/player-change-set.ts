import type { EpochSeconds } from '@lobbystats/contracts';
import type { Definitions } from '../achievements/definitions.ts';
import { unlockEarned } from '../achievements/evaluate.ts';
import type { PlayerRecord, UserRecord } from '../users/user-record.ts';
import { EMPTY_PLAN, type NewUnlock, type UserCommitPlan } from '../users/user-commit-plan.ts';

export interface PlayerState {
  readonly players: ReadonlyMap<string, PlayerRecord>;
  readonly owners: ReadonlyMap<string, readonly UserRecord[]>;
  readonly erasedKeys: ReadonlySet<string>;
}

export class PlayerChangeSet {
  readonly #known: PlayerState;
  readonly #players = new Map<string, PlayerRecord>();
  readonly #users = new Map<string, UserRecord>();
  readonly #unlocks: NewUnlock[] = [];

  constructor(known: PlayerState) {
    this.#known = known;
  }

  player(key: string): PlayerRecord | undefined {
    const player = this.#players.get(key) ?? this.#known.players.get(key);
    if (player !== undefined) return player;
    return this.#known.erasedKeys.has(key) ? undefined : createPlayerRecord(key);
  }

  put(player: PlayerRecord): void {
    this.#players.set(player.key, player);
  }

  evaluate(player: PlayerRecord, definitions: Definitions, at: EpochSeconds): void {
    for (const knownUser of this.#known.owners.get(player.key) ?? []) {
      const { user, unlocks } = unlockEarned(
        this.#users.get(knownUser.key) ?? knownUser,
        player,
        definitions,
        () => at,
      );
      if (unlocks.length === 0) continue;
      this.#users.set(user.key, user);
      this.#unlocks.push(...unlocks);
    }
  }

  toPlan(): UserCommitPlan {
    return {
      ...EMPTY_PLAN,
      players: [...this.#players.values()],
      users: [...this.#users.values()],
      unlocks: this.#unlocks,
    };
  }
}

export function createPlayerRecord(key: string): PlayerRecord {
  return { key, standings: new Map(), hosted: 0 };
}
