import type { Leases } from '../leases/lease.ts';
import type { OnPage } from '../replay/saved-page.ts';
import type { PageName, Telemetry } from '../telemetry/telemetry.ts';
import { PageFailure } from './page-failures.ts';
import type { PageCache } from './page-cache.ts';
import type { HttpResponse } from './http-response.ts';
import type { RateLimitedClient, Turn } from './rate-limited-client.http.ts';
import type { Urgency } from './request-queue.ts';
import { htmlBodyOf, jsonBodyOf } from './responses.http.ts';
import type { SourceForms } from './source-forms.ts';

/** Dependencies of everything that reads pages and feeds of the network's site. */
export interface SiteParts {
  client: RateLimitedClient;
  pages: PageCache;
  leases: Leases;
  telemetry: Telemetry;
  forms: SourceForms;
  now: () => number;
  /** How far outside of its slot the `Date` of the homepage or a game page may lie. */
  leewaySeconds: number;
  /** How far outside of the time in which they are current the `Date` of leaderboards and feeds may lie. */
  toleranceSeconds: number;
  onPage?: OnPage;
}

type AnswerType = SourceForms['homepage']['type'];

export function acceptOf(type: AnswerType): { Accept: string } {
  return { Accept: type === 'html' ? 'text/html' : 'application/json' };
}

/** The body of an answer; undefined for 304. @throws PageFailure for any other answer */
export function bodyOf(type: AnswerType, answer: HttpResponse, isConditional: boolean): string | Buffer | undefined {
  return type === 'html' ? htmlBodyOf(answer, isConditional) : jsonBodyOf(answer, isConditional);
}

/** @throws PageFailure `rejected` for a source that the settings turn off */
export function expectForm<Form>(form: Form | null): Form {
  if (form !== null) return form;
  throw new PageFailure('rejected', 'NETWORK_SOURCES_FILE says that the network has none');
}

/**
 * Runs work on a page under its lock, at the turn of its request.
 *
 * @throws PageFailure `busy` when another reader has the lock
 */
export async function withPageLock<Result>(
  url: string,
  deadlineMs: number,
  { client, pages, leases, urgency }: Pick<SiteParts, 'client' | 'pages' | 'leases'> & { urgency?: Urgency },
  work: (turn: Turn) => Promise<Result>,
): Promise<Result> {
  const turn = await client.takeTurn(deadlineMs, urgency);
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
