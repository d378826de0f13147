import type { AnnouncedEvent, ObservedEntry, ObservedMatch } from '@lobbystats/contracts';
import type { ListedBoard } from './board.ts';

export interface Activity {
  sessions: number;
  players: number;
}

export interface HomeTitle {
  titleId: string;
  name: string;
  publisher: string;
  /** Absolute http(s) URL, or `""`. */
  image: string;
  online: number;
  /** Null: missing or unreadable. The title's own page decides then. */
  activity: Activity | null;
}

export interface HomepageReading {
  /** Null where the page doesn't say. */
  registered: number | null;
  online: number;
  titles: HomeTitle[];
  /** Unreadable rows that are plainly idle. */
  skippedRows: number;
}

export interface PageMetadata {
  title: string;
  publisher: string;
  releaseDate: string;
}

export interface GamePageReading {
  /** Null where the page neither shows matches nor says that there are none. */
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

/** Only an idle cell saves the request. */
export function isActive({ activity }: Pick<HomeTitle, 'activity'>): boolean {
  return activity === null || activity.sessions > 0 || activity.players > 0;
}
