import type { EpochSeconds } from '@lobbystats/contracts';
import type { Definitions } from './definitions.ts';
import { unlockEarned } from './unlock.ts';
import type { PlayerRecord, UserRecord } from './user-record.ts';
import { NOTHING_WORKED_OUT, type NewUnlock, type WorkedOut } from './worked-out.ts';

export interface KnownPlayers {
  readonly players: ReadonlyMap<string, PlayerRecord>;
  readonly owners: ReadonlyMap<string, readonly UserRecord[]>;
  readonly forgotten: ReadonlySet<string>;
}

export class PlayersDraft {
  readonly #known: KnownPlayers;
  readonly #players = new Map<string, PlayerRecord>();
  readonly #users = new Map<string, UserRecord>();
  readonly #unlocks: NewUnlock[] = [];

  constructor(known: KnownPlayers) {
    this.#known = known;
  }

  player(key: string): PlayerRecord | undefined {
    const player = this.#players.get(key) ?? this.#known.players.get(key);
    if (player !== undefined) return player;
    return this.#known.forgotten.has(key) ? undefined : unknownPlayer(key);
  }

  put(player: PlayerRecord): void {
    this.#players.set(player.key, player);
  }

  judge(player: PlayerRecord, definitions: Definitions, at: EpochSeconds): void {
    for (const owner of this.#known.owners.get(player.key) ?? []) {
      const { user, unlocks } = unlockEarned(this.#users.get(owner.key) ?? owner, player, definitions, () => at);
      if (unlocks.length === 0) continue;
      this.#users.set(user.key, user);
      this.#unlocks.push(...unlocks);
    }
  }

  workedOut(): WorkedOut {
    return {
      ...NOTHING_WORKED_OUT,
      players: [...this.#players.values()],
      users: [...this.#users.values()],
      unlocks: this.#unlocks,
    };
  }
}

export function unknownPlayer(key: string): PlayerRecord {
  return { key, standings: new Map(), hosted: 0 };
}
