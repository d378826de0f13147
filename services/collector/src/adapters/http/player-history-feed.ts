import { playObserved, SLOTS_PER_DAY } from '@lobbystats/contracts';
import { z } from 'zod';
import type { PlayerHistory } from '../../domain/player-history.ts';
import { gameName } from '../json/game-name.ts';
import { historyParts, type HistoryFeed } from './history-part.ts';

const { element: player } = playObserved.data.shape.players;
const { element: span } = player.shape.spans;
const feedSpan = z.object({ ...span.shape, game: z.string().transform(gameName).nullable() });
const feedPlayer = z.object({ ...player.shape, spans: z.array(feedSpan).min(1).max(SLOTS_PER_DAY) });
const feedAnswer = z.object({
  players: z.array(feedPlayer),
  next: z.string().min(1).max(2000).nullable(),
});

/** The players' past as the simulated network tells it. */
export function createPlayerHistoryFeed(feed: HistoryFeed): PlayerHistory {
  return { part: historyParts({ ...feed, of: 'players', answer: feedAnswer }) };
}
