import type { EpochSeconds } from '@lobbystats/contracts';
import { FEED_MAX_BYTES } from '../feeds/parse-feed.parse.ts';
import { slotAt } from '../../time/slot-times.ts';
import type { HttpClient } from './http-client.http.ts';
import { lacksMatches } from '../../network/network.ts';
import type { PageValidators } from '../../network/page-cache.ts';
import {
  failureFrom,
  PageFailure,
  plainFailure,
  UnparseablePageError,
  type PlainFailure,
} from '../../network/page-failures.ts';
import { conditionalHeaders, expectDateIn, htmlBodyOf, jsonBodyOf, validatorsOf } from './responses.http.ts';
import { formOf, type SourceForms, type SourceName } from '../descriptions/source-forms.ts';

/** A page or feed to be read. JSON, since the leader gives it to any replica. */
export interface SourceRequest {
  readonly source: SourceName;
  /** Values of its URL. */
  readonly values: object;
  readonly seenAt: EpochSeconds;
  /** A page without matches is refused. */
  readonly awaitsMatches?: boolean;
  /** Those of the last reading, to which `unchanged` refers. */
  readonly validators?: PageValidators | undefined;
  /** The slots in which the page may have been made. `last`: default: that of the response. */
  readonly made: { readonly first: EpochSeconds; readonly last?: EpochSeconds; readonly leewaySeconds: number };
}

export type PageResponse =
  | { readonly kind: 'read'; readonly reading: unknown; readonly validators: PageValidators }
  | { readonly kind: 'unchanged' }
  /** Status 404 or 410. */
  | { readonly kind: 'absent' };

/** How a replica answers the leader. `quietMs`: the response's `Retry-After`, or 0. */
export type PageResult = { readonly quietMs: number } & (
  { readonly answer: PageResponse } | { readonly failure: PlainFailure }
);

const LIMITS: Readonly<Record<SourceName, { timeoutMs: number; maxBytes: number }>> = {
  // A game's row has about 350 bytes.
  homepage: { timeoutMs: 30_000, maxBytes: 16 * 1024 * 1024 },
  titles: { timeoutMs: 10_000, maxBytes: 5 * 1024 * 1024 },
  leaderboards: { timeoutMs: 10_000, maxBytes: 5 * 1024 * 1024 },
  events: { timeoutMs: 10_000, maxBytes: FEED_MAX_BYTES },
  players: { timeoutMs: 30_000, maxBytes: FEED_MAX_BYTES },
};

/** @throws PageFailure `rejected` for a source that the settings turn off */
export function urlOf(forms: SourceForms, { source, values }: Pick<SourceRequest, 'source' | 'values'>): string {
  return formOf(forms, source).url(values);
}

export interface PageReaderParts {
  http: HttpClient;
  forms: SourceForms;
  now: () => number;
  /** Learns each page before it is read. */
  onPage?: ((page: SourceRequest, url: string, body: string) => void) | undefined;
  /** Learns each page that the description of its source refuses. Must not reject. */
  onRefused?: ((page: SourceRequest, body: string) => Promise<void>) | undefined;
}

/** Requests a page and reads the response. */
export function createPageReader({ http, forms, now, onPage, onRefused }: PageReaderParts) {
  return async (page: SourceRequest, signal: AbortSignal): Promise<PageResult> => {
    const { source, values, validators, seenAt, made } = page;
    const form = formOf(forms, source);
    const url = form.url(values);
    const accept = form.type === 'html' ? 'text/html' : 'application/json';
    let quietMs = 0;
    try {
      const headers = { Accept: accept, ...conditionalHeaders(validators) };
      const response = await http(url, headers, LIMITS[source], signal);
      quietMs = response.quietMs;
      expectDateIn([made.first, made.last ?? slotAt(now())], response, made.leewaySeconds);
      if (source === 'leaderboards' && (response.status === 404 || response.status === 410)) {
        return { quietMs, answer: { kind: 'absent' } };
      }
      const isConditional = validators !== undefined;
      const body = form.type === 'html' ? htmlBodyOf(response, isConditional) : jsonBodyOf(response, isConditional);
      if (body === undefined) return { quietMs, answer: { kind: 'unchanged' } };
      // A refused page is what its description is tried with.
      onPage?.(page, url, body.toString());
      const reading = await form.read(body, values, seenAt).catch(async (error: unknown) => {
        if (error instanceof UnparseablePageError && !error.isFinal) await onRefused?.(page, body.toString());
        throw error;
      });
      if (page.awaitsMatches === true && lacksMatches(reading)) await onRefused?.(page, body.toString());
      return { quietMs, answer: { kind: 'read', reading, validators: validatorsOf(response) } };
    } catch (error) {
      if (!(error instanceof PageFailure)) throw error;
      return { quietMs, failure: plainFailure(error) };
    }
  };
}

/** @throws PageFailure that the replica met */
export function responseOf(result: PageResult): PageResponse {
  if ('failure' in result) throw failureFrom(result.failure);
  return result.answer;
}
