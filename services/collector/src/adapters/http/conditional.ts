import type { PageValidators } from '../../domain/board-memory.ts';
import type { Answer } from './polite-client.ts';

/** The headers that ask whether a page is still as it was when it gave these validators. */
export function conditionsOf(validators: PageValidators | undefined): Record<string, string> {
  const { etag = null, lastModified = null } = validators ?? {};
  return {
    ...(etag !== null && { 'If-None-Match': etag }),
    ...(lastModified !== null && { 'If-Modified-Since': lastModified }),
  };
}

/** Longer ones are not kept: a page that bears them is asked for whole each time. */
const LONGEST = 500;

/** Younger pages may change again within the second that their date names, in milliseconds. */
const SETTLED_MS = 2000;

/** What an answer gave for asking later whether it has changed. A date alone counts only once the page had it for a while. */
export function validatorsOf(answer: Answer): PageValidators {
  const kept = (text: string | undefined) => (text === undefined || text.length > LONGEST ? null : text);
  const etag = kept(answer.header('etag'));
  const lastModified = kept(answer.header('last-modified'));
  return { etag, lastModified: etag !== null || isSettled(lastModified, answer) ? lastModified : null };
}

/** By the network's clock alone. */
function isSettled(lastModified: string | null, answer: Answer): boolean {
  return Date.parse(answer.header('date') ?? '') - Date.parse(lastModified ?? '') >= SETTLED_MS;
}
