import type { PlayerHistory } from '../../domain/player-history.ts';
import { historyParts, type HistoryFeed } from './history-part.ts';

export function createPlayerHistoryFeed(feed: HistoryFeed): PlayerHistory {
  return { part: historyParts(feed, 'pastPlayers') };
}
