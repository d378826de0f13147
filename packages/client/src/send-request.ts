import type { RequestParts, Route } from './build-request.ts';
import { ApiError, ConnectionError } from './errors.ts';
import type { ResponseCache } from './response-cache.ts';
import type { ApiResponse } from './types.ts';

export type Fetch = (url: string, init: RequestInit) => Promise<Response>;

export interface SendOptions {
  readonly id: string;
  readonly route: Route;
  readonly fetching: Fetch;
  readonly cache: ResponseCache | undefined;
  readonly signal: AbortSignal | undefined;
}

/**
 * Sends one request. With a cache it is conditional, and a 304 resolves to the cached body.
 *
 * @throws ApiError, ConnectionError, or the reason of the signal
 */
export async function sendRequest({ url, init }: RequestParts, options: SendOptions): Promise<ApiResponse<unknown>> {
  const { id, route, fetching, signal } = options;
  // Responses to a session are the user's own.
  const cache = init.method === 'GET' && !('X-Session-Key' in init.headers) ? options.cache : undefined;
  const cached = cache?.get(url);
  const headers = cached === undefined ? init.headers : { ...init.headers, 'If-None-Match': cached.etag };
  const [response, text] = await readResponse(
    id,
    fetching(url, { ...init, headers, ...(signal && { signal }) }),
    signal,
  );
  if (response.status === 304 && cached !== undefined) {
    const confirmed = { ok: true, status: 200, headers: updated(cached.headers, response.headers) };
    return received(url, confirmed, bodyOf(id, route, confirmed, cached.text));
  }
  const body = bodyOf(id, route, response, text);
  const etag = response.headers.get('ETag');
  if (etag !== null) cache?.set(url, { etag, text, headers: response.headers });
  return received(url, response, body);
}

type ResponseHead = Pick<Response, 'ok' | 'status' | 'headers'>;

function received(url: string, { status, headers }: ResponseHead, body: unknown): ApiResponse<unknown> {
  return { body, status, headers, next: nextPage(url, headers) };
}

function updated(stored: Headers, received: Headers): Headers {
  const headers = new Headers(stored);
  received.forEach((value, name) => headers.set(name, value));
  return headers;
}

/** Reads the whole response. An abort rejects with its own reason. */
async function readResponse(
  id: string,
  sent: Promise<Response>,
  signal: AbortSignal | undefined,
): Promise<[Response, string]> {
  try {
    const response = await sent;
    return [response, await response.text()];
  } catch (cause) {
    if (signal?.aborted) throw signal.reason;
    throw new ConnectionError(id, 'The API can not be reached', { cause });
  }
}

function bodyOf(id: string, route: Route, response: ResponseHead, text: string): unknown {
  const isJson = /^application\/json\b/.test(response.headers.get('Content-Type') ?? '');
  if (!response.ok) throw errorOf(id, response, text);
  if (isJson) return parseJson(id, text);
  if (!expectsJson(route, response)) return text;
  throw new ConnectionError(id, 'Something else has answered in the place of the API');
}

/** Converts an error response. */
export function errorOf(id: string, response: ResponseHead, text: string): ApiError | ConnectionError {
  const message = text.startsWith('{') ? (parseJson(id, text) as { error?: unknown }).error : undefined;
  if (typeof message === 'string') return new ApiError(id, message, response);
  return new ConnectionError(id, `Something else has answered in the place of the API (${response.status})`);
}

/** False for text operations, and for CSV and NDJSON. */
function expectsJson(route: Route, { headers }: ResponseHead): boolean {
  return route.isText !== true && !/^(text\/csv|application\/x-ndjson)\b/.test(headers.get('Content-Type') ?? '');
}

function parseJson(id: string, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new ConnectionError(id, 'The answer is not whole', { cause });
  }
}

/** Resolves the `next` link of the `Link` header. @returns undefined if there is none */
function nextPage(requestUrl: string, headers: Headers): string | undefined {
  const [, target] = /<([^>]*)>\s*;\s*rel="?next"?/.exec(headers.get('Link') ?? '') ?? [];
  return target === undefined ? undefined : new URL(target, requestUrl).href;
}
