import {
  boardStored,
  changeRecorded,
  CHANGES_PER_FACT,
  createFacts,
  nextRevision,
  type Change,
  type Fact,
  type FactMetadata,
} from '@lobbystats/contracts';
import { planCommit, type KnownBoard, type BoardCommitPlan } from './plan-commit.ts';
import {
  boardId,
  type BoardConfirmation,
  type BoardObservation,
  type BoardState,
  type ChangeLog,
} from '../boards/board.ts';
import { splitIntoBatches, applyBatches } from './board-batches.ts';
import { addSizes, BOARD_LIMITS, BoardGrowth, fitsIn, NO_ROWS, type BoardSizes } from './board-growth.ts';
import type { BoardQueries } from '../boards/boards.queries.ts';
import type { CommitQueries } from './commits.queries.ts';
import { changeViews } from '../changes/stored-change.ts';
import type { PlayerQueries } from '../players/players.queries.ts';
import { movedRanks, rankFacts, type PlayerRank } from '../players/ranks.ts';
import type { TitleCatalog } from '../titles/title-catalog.ts';
import { rejectFuture, retryStale, splitBySize } from '../commits/commits.ts';

export interface BoardCatalogOptions {
  store: BoardQueries & CommitQueries;
  players: Pick<PlayerQueries, 'gamertags'>;
  /** Serialises commits that move the revision; concurrent ones would conflict. */
  runExclusive: <Result>(work: () => Promise<Result>) => Promise<Result>;
  titles: Pick<TitleCatalog, 'view'>;
  clock: () => number;
  origin: string;
  limits?: typeof BOARD_LIMITS;
}

export interface BoardCounts {
  readonly boards: number;
  readonly changes: number;
  /** Above the limits of {@link BOARD_LIMITS}. */
  readonly refused: BoardSizes;
}

/**
 * Time between two counts of the store's rows, in milliseconds: each takes 25 ms at 30,000 boards. What another process adds
 * meanwhile may exceed the limit; one process of a service commits at a time.
 */
const COUNT_INTERVAL_MS = 60_000;

/** Any number of processes may share the store. */
export class BoardCatalog {
  readonly #options: BoardCatalogOptions;
  readonly #growth: BoardGrowth;
  /** Rows of the store as they were counted, and what this process has added since. */
  #stored = { sizes: NO_ROWS, countedMs: -Infinity };

  constructor(options: BoardCatalogOptions) {
    this.#options = options;
    this.#growth = new BoardGrowth(options.limits ?? BOARD_LIMITS, options.clock);
  }

  /**
   * Applies observations in any order and repetition, one commit per batch. `past` marks a backfill and its facts. A
   * board that can not be stored delays no other. `onCommit` runs after each commit, even if later ones fail.
   *
   * @throws AppError `invalid` for far-future observations
   * @throws AppError `unavailable` when some are not durable; safe to repeat
   */
  async observe(
    observations: readonly BoardObservation[],
    past: boolean,
    onCommit: (counts: BoardCounts) => void = () => undefined,
  ): Promise<BoardCounts> {
    rejectFuture('Boards', observations.flatMap(instantsOf), this.#options.clock());
    let [boards, changes, refused] = [0, 0, NO_ROWS];
    await applyBatches(splitIntoBatches(observations, this.#options.store.rowsPerCommit), async (step) => {
      const plan = await this.#options.runExclusive(() => this.#commitBatch(step, past));
      const counts = { boards: plan.boards.length, changes: plan.changes.length, refused: plan.refused };
      onCommit(counts);
      boards += counts.boards;
      changes += counts.changes;
      refused = addSizes(refused, counts.refused);
    });
    return { boards, changes, refused };
  }

  /**
   * Has no effect on a board whose confirmed observation is not stored yet.
   *
   * @throws AppError `invalid` for far-future readings, `unavailable` when they are not durable
   */
  async confirm(confirmations: readonly BoardConfirmation[]): Promise<void> {
    rejectFuture('Boards', confirmations.flatMap(instantsOf), this.#options.clock());
    await this.#options.store.confirm(confirmations);
  }

  async #commitBatch(step: readonly BoardObservation[], past: boolean): Promise<BoardCommitPlan> {
    return retryStale('boards', async () => {
      // Read first: the commit fails if anything read later was newer.
      const log = await this.#options.store.changeLog();
      const known = await this.#readKnownBoards(step);
      const plan = await this.#plan(log, known, step);
      if (plan.boards.length + plan.seen.length === 0) return plan;
      const ranks = await this.#movedRanks(known, plan);
      const occurredAt = Math.max(...step.map(({ seenAt }) => seenAt));
      if (!(await this.#commit(log, plan, ranks, { occurredAt, past }))) return 'stale';
      this.#growth.record(plan.added);
      this.#stored.sizes = addSizes(this.#stored.sizes, plan.added);
      return plan;
    });
  }

  async #plan(log: ChangeLog, known: ReadonlyMap<string, KnownBoard>, step: readonly BoardObservation[]) {
    const { store, clock } = this.#options;
    // Change ids have no gaps.
    const changes = log.lastId;
    const plan = planCommit(log, known, step, this.#growth.room({ ...NO_ROWS, changes }));
    if (plan.added.boards + plan.added.entries === 0) return plan;
    const room = () => this.#growth.room({ ...this.#stored.sizes, changes });
    const isDue = Math.abs(clock() - this.#stored.countedMs) >= COUNT_INTERVAL_MS;
    if (isDue || !fitsIn(room(), plan.added)) {
      this.#stored = { sizes: { ...NO_ROWS, ...(await store.sizes()) }, countedMs: clock() };
    }
    return fitsIn(room(), plan.added) ? plan : planCommit(log, known, step, room());
  }

  async #commit(
    log: ChangeLog,
    { boards, seen, changes, lastId, lastChangedAt }: BoardCommitPlan,
    ranks: readonly PlayerRank[],
    happened: { occurredAt: number; past: boolean },
  ): Promise<boolean> {
    const { store, titles, clock, origin } = this.#options;
    const revision = nextRevision(log.revision, clock());
    const states = boards.map(({ state }) => state);
    const view = await titles.view();
    const names = new Map(states.map((state) => [boardId(state), state.name]));
    const records = new Set(changes.filter(({ beaten }) => beaten).map(({ id }) => id));
    const about = { origin, revision, ...happened };
    return store.commit({
      past: happened.past,
      expectedRevision: log.revision,
      log: { revision, lastId, lastChangedAt },
      boards,
      seen,
      changes,
      facts: [...boardFacts(states, changeViews(changes, view, names), records, about), ...rankFacts(ranks, about)],
    });
  }

  async #movedRanks(known: ReadonlyMap<string, KnownBoard>, { boards }: BoardCommitPlan): Promise<PlayerRank[]> {
    const moves = boards.map(({ state: { titleId, leaderboardId }, entries }) => {
      const before = known.get(boardId({ titleId, leaderboardId }));
      // A board that returns is as one that is read for the first time.
      const isFirst = before === undefined || before.state.gone;
      const old = isFirst ? [] : (before.content?.entries ?? []);
      return { titleId, leaderboardId, isFirst, moved: movedRanks(old, entries) };
    });
    const keys = new Set(moves.flatMap(({ moved }) => [...moved.keys()]));
    const gamertags = await this.#options.players.gamertags([...keys]);
    if (gamertags.size === 0) return [];
    return moves.flatMap(({ moved, ...board }) =>
      Array.from(moved).flatMap(([key, rank]): PlayerRank[] => {
        const gamertag = gamertags.get(key);
        return gamertag === undefined ? [] : [{ ...board, gamertag, rank }];
      }),
    );
  }

  async #readKnownBoards(step: readonly BoardObservation[]): Promise<Map<string, KnownBoard>> {
    const passes = new Map(step.map((observation) => [boardId(observation), observation.pass]));
    const states = await this.#options.store.states(step);
    const known = states.map(async (state): Promise<[string, KnownBoard]> => {
      const id = boardId(state);
      // Late observations are not compared.
      const isLate = (passes.get(id) ?? 0) <= state.pass;
      return [id, { state, content: isLate ? undefined : await this.#contentOf(state) }];
    });
    return new Map(await Promise.all(known));
  }

  async #contentOf(state: BoardState): Promise<KnownBoard['content']> {
    const { store } = this.#options;
    if (state.gone) return store.lastContent(state);
    const { name, isTime } = state;
    return { name, isTime, entries: await store.entries(state) };
  }
}

function instantsOf({ pass, seenAt }: BoardConfirmation): number[] {
  return [pass, seenAt];
}

/** @param records IDs of changes that are records */
function boardFacts(
  boards: readonly BoardState[],
  changes: readonly Change[],
  records: ReadonlySet<number>,
  about: FactMetadata,
): Fact[] {
  const stored = splitBySize(boards.map(toFactBoard), CHANGES_PER_FACT).map((some) => ({ boards: some }));
  const recorded = splitBySize(changes, CHANGES_PER_FACT).map((some) => {
    return { changes: some, records: some.map(({ id }) => id).filter((id) => records.has(id)) };
  });
  return [...createFacts(boardStored, stored, about), ...createFacts(changeRecorded, recorded, about)];
}

function toFactBoard({ titleId, leaderboardId, name, isTime, version, entryCount, gone }: BoardState) {
  return { titleId, leaderboardId, name, isTime, version, entries: entryCount, gone };
}
