import { achievementUnlocked, createFacts, nextRevision, type EpochSeconds, type Fact } from '@lobbystats/contracts';
import { AppError } from '@lobbystats/contracts/errors';
import { DefinitionCache, pointsOf, type Definitions, type DefinitionOf } from '../definitions/definitions.ts';
import { userFacts, EMPTY_PLAN, toUnlock, type NewUnlock } from '../users/user-commit-plan.ts';
import { playerKey, type UserRecord, type PlayerRecord } from '../users/user-record.ts';
import type { UserStore } from '../users/user-store.ts';
import { earn, fulfilmentTimes, type FulfilmentTimes } from '../achievements/fulfilment-times.ts';
import { ruleIndex } from '../definitions/rule-index.ts';
import { readUserHistories, type UserHistories } from './read-user-state.ts';

/** One commit takes about 20 ms, so messages run between commits. */
export const USERS_PER_BATCH = 250;
const MAX_ATTEMPTS = 100;

export interface AllUsersEvaluationOptions {
  store: UserStore;
  definitions: Definitions;
  clock: () => number;
  origin: string;
}

/** `stale`: another commit came first. `overtaken`: newer definitions exist. */
interface EvaluationStep {
  readonly state: 'more' | 'stale' | 'done' | 'overtaken';
  readonly users: number;
  readonly unlocks: number;
}

/**
 * Re-evaluates all users after the definitions changed, in key order. Progress commits with its results, so it resumes
 * after a crash and any number of replicas may take part. Unlocks are published as past.
 */
export class AllUsersEvaluation {
  readonly #options: AllUsersEvaluationOptions;
  readonly #known: DefinitionCache;

  constructor(options: AllUsersEvaluationOptions) {
    this.#options = options;
    this.#known = new DefinitionCache(options.definitions, options.store);
  }

  /**
   * Stores the definitions before any user can unlock them.
   *
   * @throws AppError `unavailable` when the store is unavailable
   */
  async begin(): Promise<void> {
    const { store, definitions } = this.#options;
    for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt += 1) {
      const expectedRevision = await store.revision();
      if ((await store.evaluation())?.digest === definitions.digest) return;
      const revision = this.#revisionAfter(expectedRevision);
      const committed = await store.commit({
        expectedRevision,
        revision,
        definitions: definitions.all,
        evaluation: { digest: definitions.digest, after: undefined, done: false },
        facts: this.#facts(revision, []),
      });
      if (committed) return;
    }
    throw new AppError('unavailable', 'People are being changed by too many at once');
  }

  /**
   * Evaluates the next batch. A failed step may be repeated.
   *
   * @throws AppError `unavailable` when the store is unavailable
   */
  async step(): Promise<EvaluationStep> {
    const { store, definitions } = this.#options;
    const { digest } = definitions;
    const expectedRevision = await store.revision();
    const evaluation = await store.evaluation();
    if (evaluation?.digest !== digest) return { state: 'overtaken', users: 0, unlocks: 0 };
    if (evaluation.done) return { state: 'done', users: 0, unlocks: 0 };

    const batch = await store.usersAfter(evaluation.after, USERS_PER_BATCH);
    const now = this.#now();
    const players = await store.players(playerKeys(batch));
    const userKeys = batch.map(({ key }) => key);
    const { users, unlocks, moved } = evaluateBatch(batch, {
      definitions,
      definitionOf: await this.#known.resolve([...new Set(batch.flatMap(({ unlocked }) => unlocked))]),
      players,
      histories: await readUserHistories(store, userKeys, players, now),
      now,
    });
    const done = batch.length < USERS_PER_BATCH;
    const revision = this.#revisionAfter(expectedRevision);
    const committed = await store.commit({
      expectedRevision,
      revision,
      users,
      unlocks: unlocks.map(toUnlock),
      movedUnlocks: moved.map(toUnlock),
      evaluation: { digest, after: batch.at(-1)?.key ?? evaluation.after, done },
      facts: users.length === 0 ? [] : this.#facts(revision, [...unlocks, ...moved]),
    });
    if (!committed) return { state: 'stale', users: 0, unlocks: 0 };
    return { state: done ? 'done' : 'more', users: batch.length, unlocks: unlocks.length };
  }

  #facts(revision: number, unlocks: readonly NewUnlock[]): Fact[] {
    const { origin } = this.#options;
    const about = { origin, revision, occurredAt: this.#now(), past: true };
    if (unlocks.length > 0) return userFacts({ ...EMPTY_PLAN, unlocks }, about, about.occurredAt);
    return createFacts(achievementUnlocked, [{ unlocks: [] }], about);
  }

  #revisionAfter(revision: number): number {
    return nextRevision(revision, this.#options.clock());
  }

  #now(): EpochSeconds {
    return Math.floor(this.#options.clock() / 1000);
  }
}

function playerKeys(users: readonly UserRecord[]): string[] {
  return [...new Set(users.flatMap(({ gamertag }) => playerKey(gamertag) ?? []))];
}

interface EvaluationContext {
  readonly definitions: Definitions;
  readonly definitionOf: DefinitionOf;
  readonly players: ReadonlyMap<string, PlayerRecord>;
  readonly histories: UserHistories;
  readonly now: EpochSeconds;
}

function evaluateBatch(batch: readonly UserRecord[], context: EvaluationContext) {
  const users: UserRecord[] = [];
  const unlocks: NewUnlock[] = [];
  const moved: NewUnlock[] = [];
  for (const before of batch) {
    const earned = earn(before, timesOf(before, context), context.histories.unlockTimes.get(before.key));
    const score = pointsOf(earned.user.unlocked.flatMap((id) => context.definitionOf(id) ?? []));
    if (earned.unlocks.length + earned.moved.length === 0 && score === before.score) continue;
    users.push({ ...earned.user, score });
    unlocks.push(...earned.unlocks);
    moved.push(...earned.moved);
  }
  return { users, unlocks, moved };
}

/** When ratings were given is not known here: rules about them have the time of the evaluation. */
function timesOf(user: UserRecord, { definitions, players, histories, now }: EvaluationContext): FulfilmentTimes {
  const player = players.get(playerKey(user.gamertag) ?? '');
  const history = histories.play.get(user.key);
  const times = fulfilmentTimes(definitions, {
    play: history && { titles: user.titles, history },
    hosting: player && histories.hosting.get(player.key),
    standings: player?.standings,
  });
  for (const { bound, definition } of ruleIndex(definitions).ratingsGiven) {
    if (user.ratingsGiven >= bound) times.set(definition, now);
  }
  return times;
}
