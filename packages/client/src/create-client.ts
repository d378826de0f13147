import { buildRequest, type RequestParts, type Route } from './build-request.ts';
import { ApiError, ConnectionError } from './errors.ts';
import { routes } from './generated/operations.ts';
import { STREAM_PATH, type StreamData } from './generated/stream.ts';
import type { ApiResponse, BodyOf, CallOptions, InputOf, Methods, OperationId } from './types.ts';

export interface ClientOptions {
  /** Origin of the API: `https://stats.example`. */
  readonly baseUrl: string;
  /** The session key, or a function that returns it. Sent in a header, only to operations that use a session. */
  readonly sessionKey?: string | (() => string | null | undefined) | undefined;
  /** Default: the global `fetch`. */
  readonly fetch?: ((url: string, init: RequestInit) => Promise<Response>) | undefined;
}

/** One method per operation resolves to the response body; {@link Client.request} resolves to the whole response. */
export interface Client extends Methods {
  /**
   * Resolves to body, status and headers.
   *
   * @throws ApiError for an error response, ConnectionError if there is no response of the API
   */
  request<Id extends OperationId, const Input extends InputOf<Id>>(
    operation: Id,
    input: Input,
    options?: CallOptions,
  ): Promise<ApiResponse<BodyOf<Id, Input>>>;
  /** Yields the body of each page until there is no next one. */
  pages<Id extends OperationId, const Input extends InputOf<Id>>(
    operation: Id,
    input: Input,
    options?: CallOptions,
  ): AsyncGenerator<BodyOf<Id, Input>, void, undefined>;
  /** URL of the live stream for an `EventSource`. Default: all topics. */
  streamUrl(topics?: readonly (keyof StreamData)[], lastEventId?: string): string;
}

/** Creates a client. It has no state and does not retry. */
export function createClient({ baseUrl, sessionKey, fetch: fetching = globalThis.fetch }: ClientOptions): Client {
  const keyOf = (options: CallOptions) =>
    options.sessionKey ?? (typeof sessionKey === 'function' ? (sessionKey() ?? undefined) : sessionKey);
  const send = async (id: OperationId, { url, init }: RequestParts, { signal }: CallOptions) => {
    const sent = fetching(url, { ...init, ...(signal && { signal }) });
    const [response, text] = await readResponse(id, sent, signal);
    return {
      body: bodyOf(id, response, text),
      status: response.status,
      headers: response.headers,
      next: nextPage(url, response.headers),
    };
  };
  const request = async (
    id: OperationId,
    input: object = {},
    options: CallOptions = {},
  ): Promise<ApiResponse<unknown>> => {
    const route: Route = routes[id];
    const parts = buildRequest(baseUrl, route, input as Record<string, unknown>, {
      ...options,
      sessionKey: keyOf(options),
    });
    return send(id, parts, options);
  };
  async function* pages(id: OperationId, input: object, options: CallOptions = {}) {
    const { init } = buildRequest(baseUrl, routes[id], input as Record<string, unknown>, {
      ...options,
      sessionKey: keyOf(options),
    });
    let page = await request(id, input, options);
    yield page.body;
    while (page.next !== undefined) {
      page = await send(id, { url: page.next, init }, options);
      yield page.body;
    }
  }
  const streamUrl = (topics: readonly string[] = [], lastEventId?: string) => {
    const query = new URLSearchParams();
    if (topics.length > 0) query.set('topics', topics.join(','));
    if (lastEventId !== undefined) query.set('lastEventId', lastEventId);
    return `${baseUrl.replace(/\/+$/, '')}${STREAM_PATH}${query.size === 0 ? '' : `?${query.toString()}`}`;
  };
  const methods = Object.keys(routes).map((id) => [
    id,
    async (input?: object, options?: CallOptions) => (await request(id as OperationId, input, options)).body,
  ]);
  return { ...(Object.fromEntries(methods) as Methods), request, pages, streamUrl } as Client;
}

/** Reads the whole response. An abort rejects with its own reason. */
async function readResponse(
  id: OperationId,
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

function bodyOf(id: OperationId, response: Response, text: string): unknown {
  const isJson = /^application\/json\b/.test(response.headers.get('Content-Type') ?? '');
  const body = isJson ? parseJson(id, text) : text;
  if (response.ok) {
    if (isJson || !expectsJson(id, response)) return body;
    throw new ConnectionError(id, 'Something else has answered in the place of the API');
  }
  if (typeof body === 'object' && body !== null && 'error' in body && typeof body.error === 'string') {
    throw new ApiError(id, body.error, response);
  }
  throw new ConnectionError(id, `Something else has answered in the place of the API (${response.status})`);
}

/** False for text operations, and for CSV and NDJSON. */
function expectsJson(id: OperationId, { headers }: Response): boolean {
  const route: Route = routes[id];
  return route.isText !== true && !/^(text\/csv|application\/x-ndjson)\b/.test(headers.get('Content-Type') ?? '');
}

function parseJson(id: OperationId, text: string): unknown {
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
