import type { EpochSeconds, AnnouncedEvent, ObservedEntry, ObservedMatch, ObservedPlayer } from '@lobbystats/contracts';
import type { ListedBoard } from '../leaderboards/board.ts';

export interface PageRequest {
  slot: EpochSeconds;
  deadlineMs: number;
}

/**
 * Requests within the rate limit, one at a time for each page, none during `Retry-After`. Rejects with a PageFailure.
 */
export interface Network {
  homepage(request: PageRequest): Promise<HomepageReading>;
  gamePage(titleId: string, request: PageRequest & { matches: boolean }): Promise<GamePageReading>;
}

export interface Activity {
  sessions: number;
  players: number;
}

export interface HomeTitle {
  titleId: string;
  name: string;
  publisher: string;
  /** `""` when unknown. */
  productCode: string;
  /** Absolute http(s) URL, or `""`. */
  image: string;
  online: number;
  /** Null: missing or unreadable. The title's own page decides then. */
  activity: Activity | null;
}

export interface HomepageReading {
  /** Null when the page has no readable counter. */
  registered: number | null;
  online: number;
  titles: HomeTitle[];
  /** Unreadable rows of idle titles. */
  skippedRows: number;
}

export interface PageMetadata {
  title: string;
  publisher: string;
  releaseDate: string;
}

export interface GamePageReading {
  /** Null when the page has neither a match table nor a notice that there are no matches. */
  matches: ObservedMatch[] | null;
  metadata: PageMetadata | null;
  /** Null when unknown. */
  boards: ListedBoard[] | null;
}

export interface BoardPageReading {
  isTime: boolean;
  rows: ObservedEntry[];
  hasNext: boolean;
}

export interface EventsReading {
  events: AnnouncedEvent[];
  unread: number[];
  skipped: number;
}

export interface PlayersReading {
  readonly players: readonly ObservedPlayer[];
  readonly skipped: number;
  readonly next: string;
}

/** Unknown activity counts as active, so that the title's own page is read. */
export function isActive({ activity }: Pick<HomeTitle, 'activity'>): boolean {
  return activity === null || activity.sessions > 0 || activity.players > 0;
}
