import type { AnnouncedEvent, ObservedEntry, ObservedMatch } from '@lobbystats/contracts';
import type { ListedBoard } from './board.ts';

/** What the activity cell says of a title: so many players in so many sessions. */
export interface Activity {
  sessions: number;
  players: number;
}

/** A title as its row on the homepage has it. */
export interface HomeTitle {
  /** Lower case. */
  titleId: string;
  /** `""` where the row names none. */
  name: string;
  publisher: string;
  /** Absolute http(s) URL, or `""`. */
  image: string;
  online: number;
  /** Null where the cell is missing or says something that nobody understands: then the title's own page decides. */
  activity: Activity | null;
}

/** The homepage, understood. */
export interface HomepageReading {
  /** Null where the page doesn't say; never a guess. */
  registered: number | null;
  online: number;
  titles: HomeTitle[];
  /** Rows that were left out: they could not be read, and are plainly idle. */
  skippedRows: number;
}

/** What a game's own page says about the game. Unknown texts are `""`. */
export interface PageMetadata {
  title: string;
  publisher: string;
  /** `YYYY-MM-DD`, or `""`. */
  releaseDate: string;
}

/** A game page, understood. */
export interface GamePageReading {
  /** Every open match; null where the page neither shows them nor says that there are none. */
  matches: ObservedMatch[] | null;
  /** Null where the page has no such list. */
  metadata: PageMetadata | null;
  /** Every board that the page lists; null where it isn't known which they are. */
  boards: ListedBoard[] | null;
}

/** A page of a board, understood. */
export interface BoardPageReading {
  isTime: boolean;
  rows: ObservedEntry[];
  /** Whether another page follows. */
  hasNext: boolean;
}

/** The feed of events, understood. */
export interface EventsReading {
  events: AnnouncedEvent[];
  /** IDs of other events that are announced, but couldn't be read. */
  unread: number[];
  /** Elements that were left out: they could not be read. */
  skipped: number;
}

/** Whether a title's page must be read for the slot: only a cell that says "nobody" spares the request. */
export function isActive({ activity }: Pick<HomeTitle, 'activity'>): boolean {
  return activity === null || activity.sessions > 0 || activity.players > 0;
}
