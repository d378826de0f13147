// Made by `npm run docs:generate` from packages/contracts: change it there.
import type { Change, Event, RecentUnlock, StreamMatches, StreamOnline, StreamRatings } from './models.ts';

/** What the events of each topic of the live stream carry. */
export interface StreamData {
  readonly online: StreamOnline;
  readonly matches: StreamMatches;
  readonly changes: Change;
  readonly unlocks: RecentUnlock;
  readonly events: Event;
  readonly ratings: StreamRatings;
}

/** Where the live stream is. */
export const STREAM_PATH = '/api/stream';
