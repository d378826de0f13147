import { createBoardHandOut } from './board-hand-out.ts';
import { createBoardWork, type BoardWork } from './board-work.ts';
import type { BoardSite } from './board-site.ts';
import type { CollectorStore } from './collector-store.ts';
import { createErrands, type Errands } from './errands.ts';
import { createEventsErrand } from './events-errand.ts';
import type { EventsFeed } from './events-feed.ts';
import { leasesOf } from './lease.ts';
import { createPlayersErrand } from './players-errand.ts';
import type { PlayersFeed } from './players-feed.ts';
import type { Outlet } from './outlet.ts';
import { createPlaces } from './places.ts';
import type { Telemetry } from './telemetry.ts';
import type { Backoff, Time } from './time.ts';

const PATIENCE_MS = 5000;

export interface BoardCollectionParts {
  store: CollectorStore;
  boardSite: BoardSite;
  eventsFeed: EventsFeed;
  playersFeed: PlayersFeed;
  outlet: Outlet;
  telemetry: Telemetry;
  time: Time;
  backoff: Backoff;
  /** This instance's name on leases. */
  holder: string;
  stopping: AbortSignal;
  boardsInHand: number;
}

export interface BoardCollection {
  errands: Errands;
  readBoard: BoardWork;
}

export function boardsInHand(perSecond: number): number {
  return Math.min(Math.max(Math.ceil(perSecond / 2), 4), 64);
}

export function createBoardCollection(parts: BoardCollectionParts): BoardCollection {
  const { store, boardSite, eventsFeed, playersFeed, time, holder } = parts;
  const { boards, boardFill } = store;
  const places = createPlaces(parts.boardsInHand, PATIENCE_MS, time);
  const leases = leasesOf(holder, () => time.now());
  return {
    errands: createErrands({
      ...parts,
      works: [
        createBoardHandOut({ ...parts, boards, fill: boardFill }),
        createEventsErrand({ ...parts, feed: eventsFeed }),
        createPlayersErrand({ ...parts, feed: playersFeed }),
      ],
    }),
    readBoard: createBoardWork({ ...parts, boards, site: boardSite, leases, places }),
  };
}
