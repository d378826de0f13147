import {
  DAY_SECONDS,
  formatTimestamp,
  usernameKey,
  type EpochSeconds,
  type OperationQuery,
  type operations,
  type Reply,
} from '@lobbystats/contracts';
import { AppError } from '@lobbystats/contracts/errors';
import { achievementCatalogView } from './achievement-catalog-view.ts';
import { leaderboardAround } from './achievement-leaderboard.ts';
import { recentUnlockOf } from '../definitions/achievement-mask.ts';
import { DefinitionCache, type Definitions } from '../definitions/definitions.ts';
import { UserAchievementsView } from './user-achievements-view.ts';
import type { LeaderboardEntry, UserStore } from '../users/user-store.ts';

/** How long an unlock counts as new, in seconds. */
const NEW_FOR_SECONDS = DAY_SECONDS;

type NewUnlock = Reply<typeof operations.getUserProfile>['body']['newUnlocks'][number];

export interface AchievementsOptions {
  store: UserStore;
  definitions: Definitions;
  networkUrl: string;
}

export class Achievements {
  readonly #store: UserStore;
  readonly #known: DefinitionCache;
  readonly #userView: UserAchievementsView;
  readonly #catalogView: ReturnType<typeof achievementCatalogView>;

  constructor({ store, definitions, networkUrl }: AchievementsOptions) {
    this.#store = store;
    this.#known = new DefinitionCache(definitions, store);
    const imageUrl = (image: string) => (image === '' ? '' : networkUrl + image);
    this.#userView = new UserAchievementsView(definitions, imageUrl);
    this.#catalogView = achievementCatalogView(definitions, imageUrl);
  }

  /** @throws AppError `not-found` for an unknown user */
  async ofUser(username: string): Promise<Reply<typeof operations.getUserAchievements>> {
    const key = usernameKey(username);
    const unlocks = await this.#store.unlocksOf(key);
    // Unlocks exist only for known users.
    if (unlocks.length === 0 && !(await this.#store.isKnown(key))) {
      throw new AppError('not-found', 'Unknown username');
    }
    const definitionOf = await this.#known.resolve(unlocks.map(({ achievementId }) => achievementId));
    return { body: this.#userView.of(unlocks, definitionOf), lastModified: unlocks[0]?.unlockedAt };
  }

  async newUnlocks(userKey: string, now: EpochSeconds): Promise<NewUnlock[]> {
    const after = now - NEW_FOR_SECONDS;
    const unlocks = (await this.#store.unlocksOf(userKey, after)).filter(({ unlockedAt }) => unlockedAt > after);
    const definitionOf = await this.#known.resolve(unlocks.map(({ achievementId }) => achievementId));
    return unlocks.flatMap(({ achievementId, unlockedAt }) => {
      const definition = definitionOf(achievementId);
      if (definition === undefined) return [];
      const { id, key, name, points } = definition;
      return [{ id, key, name, points, unlocked_at: formatTimestamp(unlockedAt) }];
    });
  }

  async catalog(): Promise<Reply<typeof operations.listAchievements>> {
    return { body: this.#catalogView(await this.#store.unlockCounts()) };
  }

  /**
   * `around`: the user in the middle of the page; default: the first page. `offset`: also returns the fields of the page.
   *
   * @throws AppError `not-found` when that user is not on the leaderboard
   */
  async leaderboard(
    limit: number,
    { offset, around }: { offset?: number | undefined; around?: string | undefined } = {},
  ): Promise<Reply<typeof operations.getAchievementLeaderboard>> {
    const entries =
      around === undefined
        ? await this.#store.leaderboard(offset ?? 0, limit)
        : await leaderboardAround(this.#store, usernameKey(around), limit);
    const leaderboard = entries.map(entryView);
    if (offset === undefined) return { body: { leaderboard } };
    const { players } = await this.#store.unlockCounts();
    return withPage({ leaderboard }, { total: players, limit, offset, count: entries.length });
  }

  /** `offset`: also returns the fields of the page. */
  async recent({
    limit,
    offset,
    achievement,
  }: OperationQuery<typeof operations.listRecentUnlocks>): Promise<Reply<typeof operations.listRecentUnlocks>> {
    const unlocks = await this.#store.recentUnlocks(limit, offset, achievement);
    const definitionOf = await this.#known.resolve(unlocks.map(({ achievementId }) => achievementId));
    const recent = unlocks.flatMap(({ username, achievementId, unlockedAt }) => {
      const definition = definitionOf(achievementId);
      return definition === undefined ? [] : [recentUnlockOf({ username, definition, unlockedAt })];
    });
    const lastModified = unlocks[0]?.unlockedAt;
    if (offset === undefined) return { body: { recent }, lastModified };
    const { byAchievement } = await this.#store.unlockCounts();
    const total =
      achievement === undefined
        ? [...byAchievement.values()].reduce((sum, count) => sum + count, 0)
        : (byAchievement.get(achievement) ?? 0);
    return { ...withPage({ recent }, { total, limit, offset, count: unlocks.length }), lastModified };
  }
}

function entryView({ rank, username, score, achievementCount }: LeaderboardEntry) {
  return { rank, username, totalScore: score, achievementCount };
}

interface PageOf {
  readonly total: number;
  readonly limit: number;
  readonly offset: number;
  /** Elements of this page. */
  readonly count: number;
}

function withPage<Body extends object>(body: Body, { total, limit, offset, count }: PageOf) {
  const hasMore = offset + count < total;
  return { body: { ...body, total, limit, offset, hasMore }, next: hasMore ? { offset: offset + limit } : undefined };
}
