import type { PlayerHistory } from './player-history.ts';
import { createPartFetcher, type HistorySource } from './part-fetcher.http.ts';

export function createPlayerHistoryFeed(feed: HistorySource): PlayerHistory {
  return { part: createPartFetcher(feed, 'pastPlayers') };
}
