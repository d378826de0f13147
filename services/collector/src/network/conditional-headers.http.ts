import type { PageValidators } from '../leaderboards/board-crawl-state.ts';
import type { HttpResponse } from './rate-limited-client.http.ts';

export function conditionalHeaders(validators: PageValidators | undefined): Record<string, string> {
  const { etag = null, lastModified = null } = validators ?? {};
  return {
    ...(etag !== null && { 'If-None-Match': etag }),
    ...(lastModified !== null && { 'If-Modified-Since': lastModified }),
  };
}

/** Pages with longer validators are fetched unconditionally. */
const MAX_VALIDATOR_LENGTH = 500;

const MIN_AGE_MS = 2000;

/** `Last-Modified` alone is ignored until it is two seconds old: the page may change again within the same second. */
export function validatorsOf(answer: HttpResponse): PageValidators {
  const dropIfTooLong = (text: string | undefined) =>
    text === undefined || text.length > MAX_VALIDATOR_LENGTH ? null : text;
  const etag = dropIfTooLong(answer.header('etag'));
  const lastModified = dropIfTooLong(answer.header('last-modified'));
  return { etag, lastModified: etag !== null || isSettled(lastModified, answer) ? lastModified : null };
}

function isSettled(lastModified: string | null, answer: HttpResponse): boolean {
  return Date.parse(answer.header('date') ?? '') - Date.parse(lastModified ?? '') >= MIN_AGE_MS;
}
