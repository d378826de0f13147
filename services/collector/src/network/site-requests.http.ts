import type { Leases } from '../leases/lease.ts';
import type { Parse } from '../parsing/parsers.process.ts';
import type { OnPage } from '../replay/saved-page.ts';
import type { PageName, Telemetry } from '../telemetry/telemetry.ts';
import { PageFailure } from './page-failures.ts';
import type { PageCache } from './page-cache.ts';
import type { RateLimitedClient, Turn } from './rate-limited-client.http.ts';

/** Dependencies of everything that reads pages and feeds of the network's site. */
export interface SiteParts {
  client: RateLimitedClient;
  pages: PageCache;
  leases: Leases;
  telemetry: Telemetry;
  parse: Parse;
  now: () => number;
  networkUrl: string;
  publicUrl: string;
  /** How far outside of its slot the `Date` of the homepage or a game page may lie. */
  leewaySeconds: number;
  /** How far outside of the time in which they are current the `Date` of leaderboards and feeds may lie. */
  toleranceSeconds: number;
  onPage?: OnPage;
}

/**
 * Runs work on a page under its lock, at the turn of its request.
 *
 * @throws PageFailure `busy` when another reader has the lock
 */
export async function withPageLock<Result>(
  url: string,
  deadlineMs: number,
  { client, pages, leases }: Pick<SiteParts, 'client' | 'pages' | 'leases'>,
  work: (turn: Turn) => Promise<Result>,
): Promise<Result> {
  const turn = await client.takeTurn(deadlineMs);
  try {
    const claim = leases();
    if (!(await pages.claim(url, claim))) throw new PageFailure('busy', 'Another reader has locked this page');
    try {
      return await work(turn);
    } finally {
      await pages.release(url, claim.holder);
    }
  } finally {
    turn.end();
  }
}

/** Runs a reading; a PageFailure is counted and logged before it is passed on. */
export async function reportFailures<Result>(
  page: PageName,
  url: string,
  { telemetry }: Pick<SiteParts, 'telemetry'>,
  read: () => Promise<Result>,
): Promise<Result> {
  try {
    return await read();
  } catch (error) {
    if (error instanceof PageFailure) telemetry.pageFailed(page, url, error);
    throw error;
  }
}
