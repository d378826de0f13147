import { nameKey, nextRevision, type EpochSeconds } from '@lobbystats/contracts';
import { boardId } from '../boards/board.ts';
import type { BoardQueries } from '../boards/boards.queries.ts';
import type { EntryQueries } from '../boards/entries.queries.ts';
import type { TrackedUser, PlayerQueries } from './players.queries.ts';
import { rankFacts, type PlayerRank } from './ranks.ts';
import { retryStale } from '../commits/commits.ts';

export interface TrackedPlayersOptions {
  store: PlayerQueries;
  boards: Pick<BoardQueries, 'changeLog'> & EntryQueries;
  /** Serialises commits that move the revision; concurrent ones would conflict. */
  runExclusive: <Result>(work: () => Promise<Result>) => Promise<Result>;
  clock: () => number;
  origin: string;
}

/** Time of the message, and whether it belongs to a backfill. */
interface Provenance {
  readonly occurredAt: EpochSeconds;
  readonly past: boolean;
}

/** Users whose ranks are published. */
export class TrackedPlayers {
  readonly #options: TrackedPlayersOptions;

  constructor(options: TrackedPlayersOptions) {
    this.#options = options;
  }

  /**
   * Applies users in any order and repetition. Publishes all their ranks, since the sender may have lost earlier ones.
   *
   * @throws AppError `unavailable` when they are not durable; safe to repeat
   */
  async upsert(users: readonly TrackedUser[], provenance: Provenance): Promise<void> {
    await this.#commit(provenance, async () => {
      const { store } = this.#options;
      const userKeys = users.map(({ userKey }) => userKey);
      const known = await store.users(userKeys);
      const erased = await store.erasedUsers(userKeys);
      const put = users.filter(
        ({ userKey, revision }) => revision > (known.get(userKey)?.revision ?? -1) && !erased.has(userKey),
      );
      const gamertags = put.map(({ gamertag }) => gamertag).filter((gamertag) => gamertag !== '');
      return { put, erased: [], ranks: await this.#currentRanks(gamertags) };
    });
  }

  /** Removes users, until a later {@link upsert}. @throws AppError `unavailable` when they are not durable */
  async retire(userKeys: readonly string[], revision: number, provenance: Provenance): Promise<void> {
    if (userKeys.length === 0) return;
    await this.#commit(provenance, async () => {
      const known = await this.#options.store.users(userKeys);
      const retired = userKeys.filter((userKey) => (known.get(userKey)?.revision ?? Infinity) <= revision);
      return { put: [], retired, erased: [], ranks: [] };
    });
  }

  /** Removes a user and ignores later messages about them. */
  async erase(userKey: string, provenance: Provenance): Promise<void> {
    await this.#commit(provenance, async () => {
      const { size: isErased } = await this.#options.store.erasedUsers([userKey]);
      return { put: [], erased: isErased > 0 ? [] : [userKey], ranks: [] };
    });
  }

  /** Reverts {@link erase}: later messages about the user count. */
  async allow(userKey: string, provenance: Provenance): Promise<void> {
    await this.#commit(provenance, async () => {
      const { size } = await this.#options.store.erasedUsers([userKey]);
      return { put: [], erased: [], allowed: size > 0 ? [userKey] : [], ranks: [] };
    });
  }

  async #commit(provenance: Provenance, workOut: () => Promise<UserCommitPlan>): Promise<void> {
    const { store, boards, runExclusive, clock, origin } = this.#options;
    const attempt = async () => {
      const log = await boards.changeLog();
      const { put, retired = [], erased, allowed = [], ranks } = await workOut();
      if (put.length + retired.length + erased.length + allowed.length === 0) return undefined;
      const revision = nextRevision(log.revision, clock());
      // They may be of long ago.
      const facts = rankFacts(ranks, { origin, revision, ...provenance, past: true });
      const written = { put, retired, erased, allowed, facts };
      const isDone = await store.commitUsers({ expectedRevision: log.revision, revision, ...written });
      return isDone ? undefined : 'stale';
    };
    await runExclusive(() => retryStale('users', attempt));
  }

  async #currentRanks(gamertags: readonly string[]): Promise<PlayerRank[]> {
    const spelled = new Map(gamertags.map((gamertag) => [nameKey(gamertag), gamertag]));
    if (spelled.size === 0) return [];
    const best = new Map<string, PlayerRank>();
    for (const { titleId, leaderboardId, playerName, rank } of await this.#options.boards.ofPlayers({
      keys: [...spelled.keys()],
    })) {
      const key = nameKey(playerName);
      const entryKey = `${boardId({ titleId, leaderboardId })} ${key}`;
      if (rank >= (best.get(entryKey)?.rank ?? Infinity)) continue;
      best.set(entryKey, { titleId, leaderboardId, gamertag: spelled.get(key) ?? playerName, rank });
    }
    return [...best.values()];
  }
}

interface UserCommitPlan {
  readonly put: readonly TrackedUser[];
  readonly retired?: readonly string[];
  readonly erased: readonly string[];
  readonly allowed?: readonly string[];
  readonly ranks: readonly PlayerRank[];
}
