import type { Leases } from '../leases/lease.ts';
import { PageFailure } from './page-failures.ts';
import type { PageCache } from './page-cache.ts';
import type { RateLimitedClient } from './rate-limited-client.http.ts';

export interface PageLockParts {
  client: RateLimitedClient;
  pages: PageCache;
  leases: Leases;
}

/**
 * Runs work on a page under its lock, within the rate limit.
 *
 * @throws PageFailure `busy` when another reader has the lock
 */
export async function withPageLock<Result>(
  url: string,
  deadlineMs: number,
  { client, pages, leases }: PageLockParts,
  work: () => Promise<Result>,
): Promise<Result> {
  await client.acquire(deadlineMs);
  const claim = leases();
  if (!(await pages.claim(url, claim))) throw new PageFailure('busy', 'Another reader has locked this page');
  try {
    return await work();
  } finally {
    await pages.release(url, claim.holder);
  }
}
