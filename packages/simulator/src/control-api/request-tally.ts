import type { NextFunction, Request, Response } from 'express';
import { isControlApiPath } from '../faults/fault-list.ts';

const MAX_PATHS = 10_000;
const MAX_PATH_LENGTH = 200;
const OTHER_PATHS = '(others)';
/** Older arrivals are forgotten. */
const MAX_ARRIVALS = 100_000;

interface PathTally {
  requests: number;
  underWay: number;
  /** Largest number of concurrent requests. */
  mostUnderWay: number;
}

export type RequestTally = ReturnType<typeof createRequestTally>;

export function createRequestTally() {
  let tallies = new Map<string, PathTally>();
  let arrivals: number[] = [];
  return {
    middleware(request: Request, response: Response, next: NextFunction) {
      if (!isControlApiPath(request.path) || request.path.startsWith('/simulator/history')) {
        noteArrival();
        const tally = tallyOf(request.path);
        tally.requests += 1;
        tally.underWay += 1;
        tally.mostUnderWay = Math.max(tally.mostUnderWay, tally.underWay);
        response.once('close', () => (tally.underWay -= 1));
      }
      next();
    },
    counts: () => ({
      total: [...tallies.values()].reduce((sum, tally) => sum + tally.requests, 0),
      byPath: Object.fromEntries([...tallies].map(([path, tally]) => [path, tally.requests])),
      maxConcurrentByPath: Object.fromEntries([...tallies].map(([path, tally]) => [path, tally.mostUnderWay])),
    }),
    /** When the requests arrived, in milliseconds since the first of them. */
    arrivals: () => arrivals.map((ms) => ms - (arrivals[0] ?? 0)),
    reset() {
      // Requests in flight finish in the old tallies.
      tallies = new Map();
      arrivals = [];
    },
  };

  function noteArrival(): void {
    if (arrivals.length === 2 * MAX_ARRIVALS) arrivals = arrivals.slice(MAX_ARRIVALS);
    arrivals.push(performance.now());
  }

  function tallyOf(path: string): PathTally {
    const isCounted = path.length <= MAX_PATH_LENGTH && (tallies.has(path) || tallies.size < MAX_PATHS);
    const key = isCounted ? path : OTHER_PATHS;
    const tally = tallies.get(key) ?? { requests: 0, underWay: 0, mostUnderWay: 0 };
    tallies.set(key, tally);
    return tally;
  }
}
