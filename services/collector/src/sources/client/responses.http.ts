import { slotOf, type EpochSeconds } from '@lobbystats/contracts';
import { PageFailure, UnparseablePageError, sampleOf } from '../../network/page-failures.ts';
import { decodeHtml } from './decode-html.ts';
import type { HttpResponse } from './http-response.ts';
import type { PageValidators } from '../../network/page-cache.ts';

const HTML = /^(?:text\/html|application\/xhtml\+xml)$/;
const JSON_TYPE = /^(?:application|text)\/(?:[\w.-]+\+)?json$/;

/**
 * The text of a page, decoded by its charset; undefined for 304.
 *
 * @param isConditional whether "nothing has changed" may be answered at all
 * @throws PageFailure for any other answer
 */
export function htmlBodyOf(response: HttpResponse, isConditional: boolean): string | undefined {
  const html = bodyOf(response, isConditional);
  if (html === undefined) return undefined;
  const [type, ...parameters] = contentTypeOf(response);
  if (!HTML.test(type)) throw unparseable(`it is not HTML but "${type.slice(0, 60)}"`, html);
  const charset = parameters.find((parameter) => parameter.startsWith('charset='))?.slice('charset='.length);
  return decodeHtml(html, charset?.replace(/^"(.*)"$/, '$1'));
}

/** The body of a feed, like {@link htmlBodyOf}. */
export function jsonBodyOf(response: HttpResponse, isConditional: boolean): Buffer | undefined {
  const json = bodyOf(response, isConditional);
  const [type] = contentTypeOf(response);
  if (json !== undefined && !JSON_TYPE.test(type)) {
    throw new UnparseablePageError(`it is not JSON but "${type.slice(0, 60)}"`, {
      sample: sampleOf(json.toString()),
      isOtherType: true,
    });
  }
  return json;
}

/** The body of an image, like {@link htmlBodyOf}, but of any media type: its bytes tell what it is. */
export const imageBodyOf = bodyOf;

function bodyOf({ status, body }: HttpResponse, isConditional: boolean): Buffer | undefined {
  if (status === 304 && isConditional) return undefined;
  if (status >= 300 && status < 400) {
    throw new PageFailure('rejected', `The network redirects with status ${status}: NETWORK_URL must be the final URL`);
  }
  if (status >= 400 && status < 500 && status !== 408 && status !== 425 && status !== 429) {
    throw new PageFailure('rejected', `The network returned status ${status}`);
  }
  if (status !== 200) throw new PageFailure('unavailable', `The network returned status ${status}`);
  return body;
}

function contentTypeOf(response: HttpResponse): [type: string, ...parameters: string[]] {
  const header = (response.header('content-type') ?? '').toLowerCase();
  const [type = '', ...parameters] = header.split(';').map((part) => part.trim());
  return [type, ...parameters];
}

function unparseable(reason: string, body: Buffer): UnparseablePageError {
  return new UnparseablePageError(reason, { sample: sampleOf(body.toString()) });
}

/**
 * A cached page, or one of a network whose clock is wrong, would put values of another time into these slots. Its time is
 * its `Date`, or earlier when a cache on the way tells its `Age` beside a `Date` of its own. A response with neither passes.
 *
 * @param leewaySeconds how far outside of the slots the date may lie
 * @throws PageFailure `wrong-date` for one that lies further outside
 */
export function expectDateIn(
  [first, last]: readonly [EpochSeconds, EpochSeconds],
  response: HttpResponse,
  leewaySeconds: number,
): void {
  const seconds = madeAt(response);
  if (seconds === undefined) return;
  const isNear = slotOf(seconds + leewaySeconds) >= first && slotOf(seconds - leewaySeconds) <= last;
  if (isNear) return;
  throw new PageFailure(
    'wrong-date',
    `The page is of ${new Date(seconds * 1000).toUTCString()}, outside of the slot: are both clocks right? NETWORK_CLOCK_TOLERANCE_SECONDS is the accepted difference`,
  );
}

/** Epoch seconds. */
function madeAt(response: HttpResponse): number | undefined {
  const dated = Date.parse(response.header('date') ?? '') / 1000;
  const age = response.header('age') ?? '';
  const aged = /^[1-9]\d{0,8}$/.test(age) ? Math.floor(response.receivedMs / 1000) - Number(age) : NaN;
  const times = [dated, aged].filter((seconds) => !Number.isNaN(seconds));
  return times.length === 0 ? undefined : Math.min(...times);
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
export function validatorsOf(response: HttpResponse): PageValidators {
  const dropIfTooLong = (text: string | undefined) =>
    text === undefined || text.length > MAX_VALIDATOR_LENGTH ? null : text;
  const etag = dropIfTooLong(response.header('etag'));
  const lastModified = dropIfTooLong(response.header('last-modified'));
  return { etag, lastModified: etag !== null || isSettled(lastModified, response) ? lastModified : null };
}

function isSettled(lastModified: string | null, response: HttpResponse): boolean {
  return Date.parse(response.header('date') ?? '') - Date.parse(lastModified ?? '') >= MIN_AGE_MS;
}
