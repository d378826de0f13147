import type { PlayerHistory } from '../../domain/player-history.ts';
import { createPartFetcher, type HistorySource } from './part-fetcher.ts';

export function createPlayerHistoryFeed(feed: HistorySource): PlayerHistory {
  return { part: createPartFetcher(feed, 'pastPlayers') };
}
