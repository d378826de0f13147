import type { PageValidators } from '../../domain/board-memory.ts';
import type { Answer } from './polite-client.ts';

export function conditionsOf(validators: PageValidators | undefined): Record<string, string> {
  const { etag = null, lastModified = null } = validators ?? {};
  return {
    ...(etag !== null && { 'If-None-Match': etag }),
    ...(lastModified !== null && { 'If-Modified-Since': lastModified }),
  };
}

/** Pages with longer validators are fetched unconditionally. */
const LONGEST = 500;

const SETTLED_MS = 2000;

/** A date alone is a weak validator until the page has kept it for a while. */
export function validatorsOf(answer: Answer): PageValidators {
  const kept = (text: string | undefined) => (text === undefined || text.length > LONGEST ? null : text);
  const etag = kept(answer.header('etag'));
  const lastModified = kept(answer.header('last-modified'));
  return { etag, lastModified: etag !== null || isSettled(lastModified, answer) ? lastModified : null };
}

function isSettled(lastModified: string | null, answer: Answer): boolean {
  return Date.parse(answer.header('date') ?? '') - Date.parse(lastModified ?? '') >= SETTLED_MS;
}
