import { readBoardPage } from '../src/adapters/html/read-board-page.ts';
import { openSqliteCollectorStore } from '../src/adapters/sqlite/open-sqlite-collector-store.ts';
import type { BoardConfirmation, BoardContent, BoardObservation } from '../src/domain/board.ts';
import type { BoardPageAnswer, BoardSite } from '../src/domain/board-site.ts';
import { createBoardWork, type BoardWork } from '../src/domain/board-work.ts';
import type { CollectorStore } from '../src/domain/collector-store.ts';
import { leasesOf } from '../src/domain/lease.ts';
import type { Outlet } from '../src/domain/outlet.ts';
import { PageFailure } from '../src/domain/page-failures.ts';
import { createPlaces } from '../src/domain/places.ts';
import { pagesOf } from './board-builder.ts';
import { silentTelemetry } from './silent-telemetry.ts';
import { writesCounted } from './writes-counted.ts';

export const PASS = 1_799_996_400;
export const BOARD = { titleId: '4d530064', leaderboardId: 7 };
export const job = (pass = PASS) => ({ ...BOARD, pass, name: 'Old Pier' });

/** A network with one board, which is listed, and collectors that share a store. */
export interface BoardStage {
  readonly store: CollectorStore;
  /** How often each method of the store was called. */
  readonly writes: Record<string, number>;
  readonly said: BoardObservation[];
  readonly confirmed: BoardConfirmation[];
  /** What telemetry was told. */
  readonly told: string[];
  /** A minute into {@link PASS}, for the test to move. */
  nowMs: number;
  requests: number;
  /** The network's pages at a request; undefined when it is down. */
  pages: (request: number) => readonly string[] | undefined;
  /** What becomes of a message that was published. */
  publish: () => Promise<void>;
  shows(content: BoardContent): void;
  /** A collector's work, as one replica has it. */
  work(holder?: string, stopping?: AbortSignal): BoardWork;
  /** How often something about boards was written. */
  changes(): number;
}

export async function setBoardStage(): Promise<BoardStage> {
  const { store, writes } = writesCounted(openSqliteCollectorStore('sqlite::memory:', 'simulated'));
  await store.boards.list(BOARD.titleId, [{ id: 7, name: 'Old Pier' }]);
  const stage: BoardStage = {
    store,
    writes,
    said: [],
    confirmed: [],
    told: [],
    nowMs: (PASS + 60) * 1000,
    requests: 0,
    pages: () => [],
    publish: () => Promise.resolve(),
    shows: (content) => {
      stage.pages = () => pagesOf(content);
    },
    work: (holder = 'ada', stopping = new AbortController().signal) => workOn(stage, holder, stopping),
    changes: () =>
      Object.entries(writes)
        .filter(([name]) => !/recall|due|owed|list/.test(name))
        .reduce((sum, [, count]) => sum + count, 0),
  };
  return stage;
}

function workOn(stage: BoardStage, holder: string, stopping: AbortSignal): BoardWork {
  const time = { now: () => stage.nowMs, sleep: () => Promise.resolve() };
  const outlet = {
    board: async (observation: BoardObservation) => {
      stage.said.push(observation);
      await stage.publish();
    },
    boardConfirmed: async (confirmation: BoardConfirmation) => {
      stage.confirmed.push(confirmation);
      await stage.publish();
    },
  } as unknown as Outlet;
  return createBoardWork({
    boards: stage.store.boards,
    site: siteOf(stage),
    outlet,
    telemetry: {
      ...silentTelemetry,
      boardHad: (outcome) => stage.told.push(outcome),
      boardFailed: (_, { kind }) => stage.told.push(`failed: ${kind}`),
    },
    time,
    leases: leasesOf(holder, time.now),
    places: createPlaces(4, 1, time),
    backoff: () => 1,
    stopping,
  });
}

function siteOf(stage: BoardStage): BoardSite {
  return {
    async boardPage(_, page, _deadlineMs, validators): Promise<BoardPageAnswer> {
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
