import { slotOf, type EpochSeconds } from '@lobbystats/contracts';
import { PageFailure, PageNotUnderstoodError, sampleOf } from './page-failures.ts';
import type { HttpResponse } from './rate-limited-client.http.ts';
import type { PageValidators } from './page-cache.ts';

/**
 * Undefined for 304.
 *
 * @param isConditional whether "nothing has changed" may be answered at all
 * @throws PageFailure for any other answer
 */
export function htmlBodyOf(answer: HttpResponse, isConditional: boolean): Buffer | undefined {
  const html = expectBody(answer, isConditional);
  if (html !== undefined) expectHtml(answer.header('content-type') ?? '', html);
  return html;
}

/**
 * Undefined for 304.
 *
 * @param isConditional whether "nothing has changed" may be answered at all
 * @throws PageFailure for any other answer
 */
function expectBody(answer: HttpResponse, isConditional: boolean): Buffer | undefined {
  const { status } = answer;
  if (status === 304 && isConditional) return undefined;
  if (status >= 300 && status < 400) {
    throw new PageFailure('refused', `The network redirects with status ${status}: NETWORK_URL must be the final URL`);
  }
  if (status >= 400 && status < 500 && status !== 408 && status !== 425 && status !== 429) {
    throw new PageFailure('refused', `The network returned status ${status}`);
  }
  if (status !== 200) throw new PageFailure('unavailable', `The network returned status ${status}`);
  return answer.body;
}

/**
 * A cached page, or one of a network whose clock is wrong, would put values of another time into these slots. A response
 * without `Date` passes.
 *
 * @param leewaySeconds how far outside of the slots the date may lie
 * @throws PageFailure `misdated` for one that lies further outside
 */
export function expectDateIn(
  [first, last]: readonly [EpochSeconds, EpochSeconds],
  answer: HttpResponse,
  leewaySeconds: number,
): void {
  const date = answer.header('date');
  const seconds = date === undefined ? NaN : Date.parse(date) / 1000;
  if (Number.isNaN(seconds)) return;
  const isNear = slotOf(seconds + leewaySeconds) >= first && slotOf(seconds - leewaySeconds) <= last;
  if (isNear) return;
  throw new PageFailure(
    'misdated',
    `The page is dated ${date ?? ''}, outside of the slot: are both clocks right? NETWORK_CLOCK_TOLERANCE_SECONDS is the accepted difference`,
  );
}

function expectHtml(contentType: string, html: Buffer): void {
  const [type = '', ...parameters] = contentType
    .toLowerCase()
    .split(';')
    .map((part) => part.trim());
  if (type !== 'text/html' && type !== 'application/xhtml+xml') {
    throw new PageNotUnderstoodError(`it is not HTML but "${type.slice(0, 60)}"`, {
      sample: sampleOf(html.toString()),
    });
  }
  const charset = parameters.find((parameter) => parameter.startsWith('charset='))?.slice('charset='.length);
  if (charset !== undefined && !/^"?(?:utf-?8|us-ascii)"?$/.test(charset)) {
    const sample = sampleOf(html.toString());
    throw new PageNotUnderstoodError(`its charset is "${charset.slice(0, 60)}", not utf-8`, { sample });
  }
}

export function jsonBodyOf(answer: HttpResponse, isConditional: boolean): Buffer | undefined {
  const body = expectBody(answer, isConditional);
  const type = (answer.header('content-type') ?? '').split(';')[0]?.trim().toLowerCase() ?? '';
  if (body !== undefined && !/^(?:application|text)\/(?:[\w.-]+\+)?json$/.test(type)) {
    throw new PageNotUnderstoodError(`it is not JSON but "${type.slice(0, 60)}"`, {
      sample: sampleOf(body.toString()),
    });
  }
  return body;
}

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
