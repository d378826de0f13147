import { readBoardPage } from './read-pages.ts';
import { openSqliteCollectorStore } from '../src/collector-store.sqlite.ts';
import type { BoardConfirmation, BoardContent, BoardObservation } from '../src/network/board.ts';
import type { BoardPageResponse, BoardSource } from '../src/network/network.ts';
import { createBoardJobHandler, type BoardJobHandler } from '../src/boards/board-job-handler.ts';
import type { CollectorStore } from '../src/collector-store.ts';
import { boardSemaphore } from '../src/side-tasks.ts';
import type { ObservationPublisher } from '../src/network/observation-publisher.ts';
import { PageFailure } from '../src/network/page-failures.ts';
import { pagesOf } from './board-builder.ts';
import { silentTelemetry } from './silent-telemetry.ts';
import { countWrites } from './count-writes.ts';

export const PASS = 1_799_996_400;
export const BOARD = { titleId: '4d530064', leaderboardId: 7 };
export const job = (pass = PASS) => ({ ...BOARD, pass, name: 'Old Pier' });

/** A network with one listed board, and collectors that share a store. */
export interface BoardStage {
  readonly store: CollectorStore;
  /** How often each method of the store was called. */
  readonly writes: Record<string, number>;
  readonly published: BoardObservation[];
  readonly confirmed: BoardConfirmation[];
  /** Outcomes reported to telemetry. */
  readonly outcomes: string[];
  /** A minute into {@link PASS}, for the test to move. */
  nowMs: number;
  requests: number;
  /** The network's pages at a request; undefined when it is down. */
  pages: (request: number) => readonly string[] | undefined;
  /** Result of publishing a message. */
  publish: () => Promise<void>;
  setContent(content: BoardContent): void;
  /** The board job handler of one leader. */
  handler(stopping?: AbortSignal): BoardJobHandler;
  /** Number of writes to boards. */
  writeCount(): number;
}

export async function setBoardStage(): Promise<BoardStage> {
  const { store, writes } = countWrites(openSqliteCollectorStore('sqlite::memory:', 'simulated'));
  await store.boards.updateListing(BOARD.titleId, [{ id: 7, name: 'Old Pier' }]);
  const stage: BoardStage = {
    store,
    writes,
    published: [],
    confirmed: [],
    outcomes: [],
    nowMs: (PASS + 60) * 1000,
    requests: 0,
    pages: () => [],
    publish: () => Promise.resolve(),
    setContent: (content) => {
      stage.pages = () => pagesOf(content);
    },
    handler: (stopping = new AbortController().signal) => createHandler(stage, stopping),
    writeCount: () =>
      Object.entries(writes)
        .filter(([name]) => !/\.(?:get|due|pendingRetries|updateListing)$/.test(name))
        .reduce((sum, [, count]) => sum + count, 0),
  };
  return stage;
}

function createHandler(stage: BoardStage, stopping: AbortSignal): BoardJobHandler {
  const time = { now: () => stage.nowMs, sleep: () => Promise.resolve() };
  const publisher = {
    publishBoard: async (observation: BoardObservation) => {
      stage.published.push(observation);
      await stage.publish();
    },
    confirmBoard: async (confirmation: BoardConfirmation) => {
      stage.confirmed.push(confirmation);
      await stage.publish();
    },
  } as unknown as ObservationPublisher;
  return createBoardJobHandler({
    boards: stage.store.boards,
    site: siteOf(stage),
    publisher,
    telemetry: {
      ...silentTelemetry,
      boardRead: (outcome) => stage.outcomes.push(outcome),
      boardFailed: (_, { kind }) => stage.outcomes.push(`failed: ${kind}`),
    },
    time,
    semaphore: boardSemaphore(4, 1),
    backoff: () => 1,
    stopping,
  });
}

function siteOf(stage: BoardStage): BoardSource {
  return {
    async boardPage(_, page, _deadlineMs, validators): Promise<BoardPageResponse> {
      await Promise.resolve();
      const all = stage.pages(stage.requests);
      stage.requests += 1;
      if (all === undefined) throw new PageFailure('unavailable', 'No answer');
      const html = all[page - 1];
      if (html === undefined) return { kind: 'absent' };
      if (validators?.etag === html) return { kind: 'unchanged' };
      return { kind: 'read', page: readBoardPage(html), validators: { etag: html, lastModified: null } };
    },
  };
}
