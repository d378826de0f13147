import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { totalmem } from 'node:os';
import type { Metrics } from '../metrics/create-metrics.ts';
import { Load } from './load.ts';
import { loadRefusal } from './load-refusal.ts';
import { TICK_MS, watchStrain } from './watch-strain.ts';

export interface LoadOptions {
  metrics: Metrics;
  /** Headers of every answer. */
  everyAnswer: Readonly<Record<string, string>>;
  /** Whether a URL is answered however much there is to do. */
  isExempt: (url: string | undefined) => boolean;
}

/** What a server has in flight, and the door to it. */
export interface BoundLoad {
  readonly load: Load;
  /** Refuses a request when there is no room for it; if so it is answered. */
  readonly isTurnedAway: (req: IncomingMessage, res: ServerResponse, isLast: boolean) => boolean;
}

/** Bounds what a server takes on by how many requests are in flight, and by the time and memory of its process. */
export function boundLoad(server: Server, { metrics, everyAnswer, isExempt }: LoadOptions): BoundLoad {
  const watch = watchStrain({
    workedPart: workedPart(),
    heldBytes: () => process.memoryUsage.rss(),
    boundBytes: memoryBound(),
  });
  const load = new Load(() => watch.current());
  const refused = metrics.counter('requests_refused_total', 'Requests refused because there was too much to do', [
    'reason',
  ]);
  const answer = loadRefusal(everyAnswer);
  let ticking: NodeJS.Timeout | undefined;
  server.on('listening', () => {
    ticking = setInterval(() => watch.tick(), TICK_MS).unref();
  });
  server.on('close', () => clearInterval(ticking));
  return {
    load,
    isTurnedAway: (req, res, isLast) => {
      const reason = load.refusal();
      if (reason === undefined || isExempt(req.url)) return false;
      refused.inc({ reason });
      answer(req, res, isLast);
      return true;
    },
  };
}

/** Asks what part of the time since it was last asked the event loop has worked. */
function workedPart(): () => number {
  let before = performance.eventLoopUtilization();
  return () => {
    const now = performance.eventLoopUtilization();
    const { utilization } = performance.eventLoopUtilization(now, before);
    before = now;
    return utilization;
  };
}

/** What the process may hold: what its container lets it have, else what the machine has. */
function memoryBound(): number {
  const allowed = process.constrainedMemory();
  const there = totalmem();
  return allowed > 0 && allowed < there ? allowed : there;
}
