import type { PlayersReading } from '../players/players-feed.ts';
import type { BoardPageReading, EventsReading, GamePageReading, HomepageReading } from './readings.ts';

export type PageBody = string | Uint8Array;

/** Parses response bodies of pages and feeds. All methods reject with a PageNotUnderstoodError. */
export interface PageReaders {
  homepage(html: PageBody): Promise<HomepageReading>;
  gamePage(html: PageBody): Promise<GamePageReading>;
  boardPage(html: PageBody): Promise<BoardPageReading>;
  events(json: PageBody): Promise<EventsReading>;
  players(json: PageBody): Promise<PlayersReading>;
}
