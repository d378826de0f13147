import { nameKey, nextRevision, type EpochSeconds } from '@lobbystats/contracts';
import { AppError } from '@lobbystats/errors';
import { boardId } from './board.ts';
import type { BoardStore } from './board-store.ts';
import type { KnownPerson, PlayerStore } from './player-store.ts';
import { rankFacts, type PlayerRank } from './ranks.ts';
import { MAX_ATTEMPTS } from './title-catalog.ts';

export interface KnownPlayersOptions {
  store: PlayerStore;
  boards: Pick<BoardStore, 'changeLog' | 'ofPlayers'>;
  /** Serialises commits that move the revision; concurrent ones would conflict. */
  inTurn: <Result>(work: () => Promise<Result>) => Promise<Result>;
  clock: () => number;
  origin: string;
}

/** When, and whether it is of the past. */
interface Told {
  readonly occurredAt: EpochSeconds;
  readonly past: boolean;
}

/** Users whose ranks are published. */
export class KnownPlayers {
  readonly #options: KnownPlayersOptions;

  constructor(options: KnownPlayersOptions) {
    this.#options = options;
  }

  /**
   * Applies users in any order and repetition. Publishes all their ranks, since the sender may have lost earlier ones.
   *
   * @throws AppError `unavailable` when they are not durable; safe to repeat
   */
  async learn(people: readonly KnownPerson[], told: Told): Promise<void> {
    await this.#inTurn(told, async () => {
      const { store } = this.#options;
      const userKeys = people.map(({ userKey }) => userKey);
      const known = await store.people(userKeys);
      const forgotten = await store.forgotten(userKeys);
      const put = people.filter(
        ({ userKey, revision }) => revision > (known.get(userKey)?.revision ?? -1) && !forgotten.has(userKey),
      );
      const gamertags = put.map(({ gamertag }) => gamertag).filter((gamertag) => gamertag !== '');
      return { put, forgotten: [], ranks: await this.#standing(gamertags) };
    });
  }

  /** Removes a user and ignores later messages about them. */
  async forget(userKey: string, told: Told): Promise<void> {
    await this.#inTurn(told, async () => {
      const { size: isForgotten } = await this.#options.store.forgotten([userKey]);
      return { put: [], forgotten: isForgotten > 0 ? [] : [userKey], ranks: [] };
    });
  }

  #inTurn(told: Told, workOut: () => Promise<WorkedOut>): Promise<void> {
    return this.#options.inTurn(() => this.#commit(told, workOut));
  }

  async #commit(told: Told, workOut: () => Promise<WorkedOut>): Promise<void> {
    const { store, boards, clock, origin } = this.#options;
    for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt += 1) {
      const log = await boards.changeLog();
      const { put, forgotten, ranks } = await workOut();
      if (put.length + forgotten.length === 0) return;
      const revision = nextRevision(log.revision, clock());
      const facts = rankFacts(ranks, { origin, revision, ...told });
      if (await store.commitPeople({ expectedRevision: log.revision, revision, put, forgotten, facts })) return;
    }
    throw new AppError('unavailable', 'The boards are being changed by too many at once');
  }

  async #standing(gamertags: readonly string[]): Promise<PlayerRank[]> {
    const spelled = new Map(gamertags.map((gamertag) => [nameKey(gamertag), gamertag]));
    if (spelled.size === 0) return [];
    const best = new Map<string, PlayerRank>();
    for (const { titleId, leaderboardId, playerName, rank } of await this.#options.boards.ofPlayers({
      keys: [...spelled.keys()],
    })) {
      const key = nameKey(playerName);
      const place = `${boardId({ titleId, leaderboardId })} ${key}`;
      if (rank >= (best.get(place)?.rank ?? Infinity)) continue;
      best.set(place, { titleId, leaderboardId, gamertag: spelled.get(key) ?? playerName, rank });
    }
    return [...best.values()];
  }
}

interface WorkedOut {
  readonly put: readonly KnownPerson[];
  readonly forgotten: readonly string[];
  readonly ranks: readonly PlayerRank[];
}
