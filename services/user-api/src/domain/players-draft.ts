import type { EpochSeconds } from '@lobbystats/contracts';
import type { Definitions } from './definitions.ts';
import { unlockEarned } from './unlock.ts';
import type { PlayerRecord, UserRecord } from './user-record.ts';
import { NOTHING_WORKED_OUT, type NewUnlock, type WorkedOut } from './worked-out.ts';

/** What is known of players. */
export interface KnownPlayers {
  readonly players: ReadonlyMap<string, PlayerRecord>;
  /** People by the player that they are: the feed says that it is their gamertag. */
  readonly owners: ReadonlyMap<string, readonly UserRecord[]>;
  /** Keys of players who aren't known and are not to be. */
  readonly forgotten: ReadonlySet<string>;
}

/** Players as message after message changes them, and what people earn by it. */
export class PlayersDraft {
  readonly #known: KnownPlayers;
  readonly #players = new Map<string, PlayerRecord>();
  readonly #users = new Map<string, UserRecord>();
  readonly #unlocks: NewUnlock[] = [];

  constructor(known: KnownPlayers) {
    this.#known = known;
  }

  /** The player as they are by now; undefined for one who is to be left out. */
  player(key: string): PlayerRecord | undefined {
    const player = this.#players.get(key) ?? this.#known.players.get(key);
    if (player !== undefined) return player;
    return this.#known.forgotten.has(key) ? undefined : unknownPlayer(key);
  }

  put(player: PlayerRecord): void {
    this.#players.set(player.key, player);
  }

  /** Gives the player's owners what a player like this has earned. */
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

/** A player of whom nothing is known yet. */
export function unknownPlayer(key: string): PlayerRecord {
  return { key, standings: new Map(), hosted: 0 };
}
