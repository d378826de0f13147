import { SingleFlight } from '@lobbystats/service-kit/concurrency';
import { messageOf } from '@lobbystats/contracts/errors';
import { PageFailure } from '../../network/page-failures.ts';
import type { HttpResponse } from './http-response.ts';
import { parseRobots, type RobotsRules } from './robots.ts';

const MAX_AGE_MS = 3_600_000;
/** After a failure, robots.txt is requested again no sooner. */
const RETRY_MS = 30_000;
const MAX_REDIRECTS = 5;
const NO_RULES: RobotsRules = { allows: () => true, delayMs: 0 };

export interface RobotsGate {
  /**
   * Resolves when robots.txt of the URL's host allows the request.
   *
   * @param get sends a request within the rate limit
   * @throws PageFailure `rejected` when it is disallowed, `unavailable` when robots.txt can't be read and never was
   */
  expectAllowed(url: string, get: (url: string) => Promise<HttpResponse>): Promise<void>;
  /** The longest `Crawl-delay` of the hosts, in milliseconds; 0 without one. */
  delayMs(): number;
}

interface Known {
  rules: RobotsRules | undefined;
  untilMs: number;
  reason: string;
}

/** Reads the robots.txt of each host once an hour. `now` returns epoch milliseconds. */
export function createRobotsGate(product: string, now: () => number): RobotsGate {
  const known = new Map<string, Known>();
  const flights = new SingleFlight<string>();
  return {
    async expectAllowed(url, get) {
      const { origin, pathname, search } = new URL(url);
      let robots = known.get(origin);
      if (robots === undefined || now() >= robots.untilMs) {
        robots = await flights.run(origin, () => read(origin, get));
      }
      if (robots.rules === undefined)
        throw new PageFailure('unavailable', `robots.txt can't be read: ${robots.reason}`);
      if (robots.rules.allows(pathname + search)) return;
      throw new PageFailure('rejected', `The network's robots.txt disallows ${pathname.slice(0, 100)}`);
    },
    delayMs: () => Math.max(0, ...[...known.values()].map(({ rules }) => rules?.delayMs ?? 0)),
  };

  async function read(origin: string, get: (url: string) => Promise<HttpResponse>): Promise<Known> {
    const before = known.get(origin);
    try {
      const rules = await fetchRules(`${origin}/robots.txt`, get);
      known.set(origin, { rules, untilMs: now() + MAX_AGE_MS, reason: '' });
    } catch (error) {
      if (!(error instanceof PageFailure) || error.kind === 'late' || error.kind === 'rate-limited') throw error;
      known.set(origin, { rules: before?.rules, untilMs: now() + RETRY_MS, reason: messageOf(error) });
    }
    return known.get(origin) ?? { rules: NO_RULES, untilMs: 0, reason: '' };
  }

  async function fetchRules(url: string, get: (url: string) => Promise<HttpResponse>): Promise<RobotsRules> {
    let target = url;
    for (let redirects = 0; redirects <= MAX_REDIRECTS; redirects += 1) {
      const { status, header, body } = await get(target);
      if (status === 200) return parseRobots(new TextDecoder().decode(body), product);
      if (status === 429 || status >= 500) throw new PageFailure('unavailable', `status ${status}`);
      const location = header('location');
      if (status < 300 || status >= 400 || location === undefined || !URL.canParse(location, target)) return NO_RULES;
      const next = new URL(location, target);
      // The network does not choose which hosts are asked.
      if (next.hostname !== new URL(url).hostname) return NO_RULES;
      target = next.href;
    }
    return NO_RULES;
  }
}
