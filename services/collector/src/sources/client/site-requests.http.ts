import type { PageName, Telemetry } from '../../telemetry/telemetry.ts';
import { PageFailure } from '../../network/page-failures.ts';
import type { PageCache } from '../../network/page-cache.ts';
import type { RateLimitedClient } from './rate-limited-client.http.ts';
import type { SourceForms } from '../descriptions/source-forms.ts';

/** Dependencies of everything that asks for pages and feeds of the network's site. */
export interface SiteParts {
  client: RateLimitedClient;
  pages: PageCache;
  telemetry: Telemetry;
  forms: SourceForms;
  now: () => number;
  /** How far outside of its slot the `Date` of the homepage or a game page may lie. */
  leewaySeconds: number;
  /** How far outside of the time in which they are current the `Date` of leaderboards and feeds may lie. */
  toleranceSeconds: number;
  /** Requests are conditional. */
  isConditional: boolean;
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
    if (error instanceof PageFailure) {
      error.url = url;
      telemetry.pageFailed(page, url, error);
    }
    throw error;
  }
}
