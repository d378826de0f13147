import type { Leases } from '../../domain/lease.ts';
import { PageFailure } from '../../domain/page-failures.ts';
import type { PageMemory } from '../../domain/page-memory.ts';
import type { PoliteClient } from './polite-client.ts';

export interface ClaimingParts {
  client: PoliteClient;
  pages: PageMemory;
  leases: Leases;
}

/**
 * Runs work on a page under its lock, within the rate limit.
 *
 * @throws PageFailure `busy` when somebody else is reading it
 */
export async function claimed<Result>(
  url: string,
  deadlineMs: number,
  { client, pages, leases }: ClaimingParts,
  work: () => Promise<Result>,
): Promise<Result> {
  await client.turn(deadlineMs);
  const claim = leases();
  if (!(await pages.claim(url, claim))) throw new PageFailure('busy', 'Somebody else is reading this page');
  try {
    return await work();
  } finally {
    await pages.release(url, claim.holder);
  }
}
