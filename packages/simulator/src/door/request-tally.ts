import type { NextFunction, Request, Response } from 'express';

/** So many paths are told apart; requests for any more are counted under `OTHER_PATHS`. */
const MOST_PATHS = 10_000;
const LONGEST_PATH = 200;
const OTHER_PATHS = '(others)';

/** What the door says of the requests so far. Paths are without query. */
interface RequestCounts {
  total: number;
  byPath: Record<string, number>;
  /** How many requests for one path were under way at the same time, at most. */
  maxConcurrentByPath: Record<string, number>;
}

/** Counts the requests that are answered, so that a test can see how polite a client is. */
export interface RequestTally {
  middleware(request: Request, response: Response, next: NextFunction): void;
  counts(): RequestCounts;
  reset(): void;
}

interface PathTally {
  requests: number;
  underWay: number;
  mostUnderWay: number;
}

/** A tally that does not count requests for which `isIgnored`. */
export function createRequestTally(isIgnored: (path: string) => boolean): RequestTally {
  let tallies = new Map<string, PathTally>();
  return {
    middleware(request, response, next) {
      if (!isIgnored(request.path)) {
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
    reset() {
      // What is under way now goes on to be counted out, in tallies that nobody reads any more.
      tallies = new Map();
    },
  };

  function tallyOf(path: string): PathTally {
    const isTold = path.length <= LONGEST_PATH && (tallies.has(path) || tallies.size < MOST_PATHS);
    const key = isTold ? path : OTHER_PATHS;
    const tally = tallies.get(key) ?? { requests: 0, underWay: 0, mostUnderWay: 0 };
    tallies.set(key, tally);
    return tally;
  }
}
