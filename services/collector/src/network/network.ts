import type { EpochSeconds, AnnouncedEvent, ObservedEntry, ObservedMatch, ObservedPlayer } from '@lobbystats/contracts';
import type { BoardKey, ListedBoard } from './board.ts';
import type { PageValidators } from './page-cache.ts';

export interface PageRequest {
  slot: EpochSeconds;
  deadlineMs: number;
}

/**
 * A network as the collector reads it. Only the homepage is required: without another source its data is missing, and
 * the collector says so. Methods send requests within the rate limit, one at a time for each page, none during
 * `Retry-After`. All reject with a PageFailure: `rejected` for what the network doesn't have, `absent` without a request.
 */
export interface NetworkSource {
  /** Site counts and the users online in each title. Asked in each slot. */
  homepage(request: PageRequest): Promise<HomepageReading>;
  /** Matches, metadata and the list of leaderboards. Asked in the slots in which the title is played, and each 15 minutes. */
  gamePage(titleId: string, request: PageRequest & { matches: boolean }): Promise<GamePageReading>;
  readonly boards: BoardSource;
  readonly events: EventsSource;
  readonly players: PlayersSource;
}

export type BoardPageResponse =
  { kind: 'read'; page: BoardPageReading; validators: PageValidators } | { kind: 'unchanged' } | { kind: 'absent' };

/** Entries of leaderboards. Each is asked once an hour, after all other requests. */
export interface BoardSource {
  /** `page` counts from 1; `deadlineMs` is in epoch milliseconds; `validators` make the request conditional. */
  boardPage(board: BoardKey, page: number, deadlineMs: number, validators?: PageValidators): Promise<BoardPageResponse>;
}

/** Announced events. */
export interface EventsSource {
  readonly intervalSeconds: number;
  /** Calls `publish` with the reading and its digest if it changed, and stores the digest once `publish` has resolved. */
  poll(deadlineMs: number, publish: (reading: EventsReading, digest: string) => Promise<void>): Promise<void>;
  isKnown(): Promise<boolean>;
}

/** Users who are online, or were since the last poll. */
export interface PlayersSource {
  readonly intervalSeconds: number;
  /** Reads players since the last poll of any replica. The cursor moves once `publish` has resolved. */
  poll(deadlineMs: number, publish: (reading: PlayersReading) => Promise<void>): Promise<void>;
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
}

export interface PageMetadata {
  title: string;
  publisher: string;
  releaseDate: string;
}

export interface GamePageReading {
  /** Null when the page has neither a match table nor a notice that there are no matches. */
  matches: ObservedMatch[] | null;
  /** The headings of each table of the page, if it has no matches. */
  tables?: string[][];
  metadata: PageMetadata | null;
  /** Null when unknown. */
  boards: ListedBoard[] | null;
  /** Leaderboards whose rows are on the page itself, where the network has no pages of leaderboards. */
  shownBoards?: { id: number; page: BoardPageReading }[];
}

export interface BoardPageReading {
  isTime: boolean;
  rows: ObservedEntry[];
  /** `perhaps`: the page is full; if there is another one, it may be empty. */
  hasNext: boolean | 'perhaps';
}

export interface EventsReading {
  events: AnnouncedEvent[];
  unread: number[];
  skipped: number;
}

export interface PlayersReading {
  readonly players: readonly ObservedPlayer[];
  readonly skipped: number;
  /** Null: the next request asks for the users online then. */
  readonly next: string | null;
}

/** Unknown activity counts as active, so that the title's own page is read. */
export function isActive({ activity }: Pick<HomeTitle, 'activity'>): boolean {
  return activity === null || activity.sessions > 0 || activity.players > 0;
}

/** Whether the page of a game neither shows its open matches nor says that there are none. */
export function lacksMatches(reading: unknown): boolean {
  return (reading as GamePageReading).matches === null;
}
