import { createSemaphore, type Semaphore } from '@lobbystats/service-kit/concurrency';
import type { EpochSeconds } from '@lobbystats/contracts';
import { createDueBoardEnqueuer } from './boards/board-schedule.ts';
import { createBoardJobHandler } from './boards/board-job-handler.ts';
import type { CollectorStore } from './collector-store.ts';
import { createSlotSideTasks } from './slots/slot-side-tasks.ts';
import { createEventsPoll } from './polls/events-poll.ts';
import type { IconSource } from './polls/icon-source.ts';
import { createIconsPoll } from './polls/icons-poll.ts';
import { createPlayersPoll } from './polls/players-poll.ts';
import type { TitleBound } from './titles/title-bound.ts';
import type { ObservationPublisher } from './network/observation-publisher.ts';
import type { NetworkSource } from './network/network.ts';
import { PageFailure } from './network/page-failures.ts';
import type { Telemetry } from './telemetry/telemetry.ts';
import type { RetryParts } from './time/time.ts';

const PERMIT_TIMEOUT_MS = 5000;

export interface BoardCollectionParts extends RetryParts {
  store: CollectorStore;
  network: NetworkSource;
  /** Publishes in a slot which sources the network lacks. */
  publishSources: (slot: EpochSeconds) => Promise<void>;
  /** Reads refused pages again once their descriptions have changed. */
  readAgain: (slot: EpochSeconds) => Promise<void>;
  publisher: ObservationPublisher;
  telemetry: Telemetry;
  titleBound: TitleBound;
  maxConcurrentBoards: number;
  icons: IconSource;
  maxIconsPerSlot: number;
}

export function maxConcurrentBoards(perSecond: number): number {
  return Math.min(Math.max(Math.ceil(perSecond / 2), 4), 64);
}

export function createBoardCollection(parts: BoardCollectionParts) {
  const { store, network } = parts;
  const { boards, boardBackfill } = store;
  const semaphore = boardSemaphore(parts.maxConcurrentBoards, PERMIT_TIMEOUT_MS);
  return {
    sideTasks: createSlotSideTasks({
      ...parts,
      tasks: [
        createDueBoardEnqueuer({ ...parts, boards, backfill: boardBackfill }),
        createEventsPoll({ ...parts, source: network.events }),
        createPlayersPoll({ ...parts, source: network.players }),
        createIconsPoll({ ...parts, titles: store.titles, maxPerSlot: parts.maxIconsPerSlot }),
        parts.publishSources,
        parts.readAgain,
      ],
    }),
    readBoard: createBoardJobHandler({ ...parts, boards, site: network.boards, semaphore }),
  };
}

/** Bounds the boards that are read at once. Rejects with a PageFailure `busy` without a permit within the wait. */
export function boardSemaphore(permits: number, waitMs: number): Semaphore {
  const createError = () => new PageFailure('busy', 'Too many boards are being read');
  return createSemaphore({ permits, waitMs, createError });
}
