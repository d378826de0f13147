import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { FaultPlan } from '../faults/fault.ts';
import type { PlannedHandler } from '../faults/faulty-handler.ts';
import { fraction, mix } from '../world/hash.ts';
import type { World } from '../world/world.ts';
import { boardHistoryFeed, TYPICAL_BOARD_PIECES, readBoardHistoryQuery } from './board-history.ts';
import { historyFeed, maxElements, readHistoryQuery } from './history.ts';
import { playerHistoryFeed, TYPICAL_PLAYER_PIECES, readPlayerHistoryQuery } from './player-history.ts';

type FeedOf = (
  query: Readonly<Record<string, unknown>>,
  now: number,
) => {
  pieces: AsyncGenerator<string>;
  elements: number;
};

/** Handlers by the path below `/simulator/history`. */
export function historyRoutes(world: World): Readonly<Record<string, PlannedHandler>> {
  return {
    '': streamFeed((query, now) => {
      const read = readHistoryQuery(query);
      return { pieces: historyFeed(world, read, now), elements: maxElements(read, now) };
    }),
    '/boards': streamFeed((query, now) => ({
      pieces: boardHistoryFeed(world, readBoardHistoryQuery(query), now),
      elements: TYPICAL_BOARD_PIECES,
    })),
    '/players': streamFeed((query, now) => ({
      pieces: playerHistoryFeed(world, readPlayerHistoryQuery(query), now),
      elements: TYPICAL_PLAYER_PIECES,
    })),
  };
}

function streamFeed(feedOf: FeedOf): PlannedHandler {
  return async (request, response, plan, now) => {
    const { pieces, elements } = feedOf(request.query, now);
    response.type(plan.contentType === undefined ? 'json' : 'html').set('Cache-Control', 'no-store');
    if (request.method === 'HEAD') {
      response.end();
      return;
    }
    const sent = plan.truncate === undefined ? pieces : truncated(pieces, elements, plan);
    try {
      await pipeline(Readable.from(sent), response);
    } catch {
      // The client disconnected or a fault cut the response: the pipeline has closed the connection.
    }
  };
}

async function* truncated(pieces: AsyncGenerator<string>, elements: number, plan: FaultPlan): AsyncGenerator<string> {
  const whole = 1 + Math.floor(elements * fraction(mix(plan.chance, 4)));
  let index = 0;
  for await (const piece of pieces) {
    if (index === whole) {
      yield piece.slice(0, Math.floor(piece.length / 2));
      break;
    }
    yield piece;
    index += 1;
  }
  const isClean = plan.truncate?.ends === 'cleanly' || (plan.truncate?.ends === undefined && plan.chance % 2 === 0);
  if (!isClean) throw new Error('response truncated by a fault');
}
