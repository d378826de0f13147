import { ApiError, ConnectionError } from './errors.ts';
import { routes } from './generated/operations.ts';
import { STREAM_PATH, type StreamData } from './generated/stream.ts';
import { nextPage } from './next-page.ts';
import { requestOf, type RequestParts, type Route } from './request-of.ts';
import type { Answered, BodyOf, CallOptions, InputOf, Methods, OperationId } from './types.ts';

/** Where a client asks, and as whom. */
export interface ClientOptions {
  /** Where the API is: `https://stats.example`. */
  readonly baseUrl: string;
  /** The session key, or what gives it; it goes to the operations that look at it alone, in a header. */
  readonly sessionKey?: string | (() => string | null | undefined) | undefined;
  /** Default: the global one. */
  readonly fetch?: ((url: string, init: RequestInit) => Promise<Response>) | undefined;
}

/** The API as functions: each operation by its name gives the answer's body, {@link Client.ask} all of the answer. */
export interface Client extends Methods {
  /**
   * Asks, and gives status and headers too.
   *
   * @throws ApiError when the API refuses, ConnectionError when there is no answer of it
   */
  ask<Id extends OperationId, const Input extends InputOf<Id>>(
    operation: Id,
    input: Input,
    options?: CallOptions,
  ): Promise<Answered<BodyOf<Id, Input>>>;
  /** The same page after page, until there is no next one. */
  pages<Id extends OperationId, const Input extends InputOf<Id>>(
    operation: Id,
    input: Input,
    options?: CallOptions,
  ): AsyncGenerator<BodyOf<Id, Input>, void, undefined>;
  /** Where an `EventSource` finds the live stream of these topics; of all where none are named. */
  streamUrl(topics?: readonly (keyof StreamData)[], lastEventId?: string): string;
}

/** Makes a client. It keeps nothing between calls, and tries nothing again by itself. */
export function createClient({ baseUrl, sessionKey, fetch: fetching = globalThis.fetch }: ClientOptions): Client {
  const keyOf = (options: CallOptions) =>
    options.sessionKey ?? (typeof sessionKey === 'function' ? (sessionKey() ?? undefined) : sessionKey);
  const send = async (id: OperationId, { url, init }: RequestParts, { signal }: CallOptions) => {
    const sent = fetching(url, { ...init, ...(signal && { signal }) });
    const [response, text] = await answered(id, sent, signal);
    return {
      body: bodyOf(id, response, text),
      status: response.status,
      headers: response.headers,
      next: nextPage(url, response.headers),
    };
  };
  const ask = async (id: OperationId, input: object = {}, options: CallOptions = {}): Promise<Answered<unknown>> => {
    const route: Route = routes[id];
    const parts = requestOf(baseUrl, route, input as Record<string, unknown>, {
      ...options,
      sessionKey: keyOf(options),
    });
    return send(id, parts, options);
  };
  async function* pages(id: OperationId, input: object, options: CallOptions = {}) {
    const { init } = requestOf(baseUrl, routes[id], input as Record<string, unknown>, {
      ...options,
      sessionKey: keyOf(options),
    });
    let page = await ask(id, input, options);
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
    async (input?: object, options?: CallOptions) => (await ask(id as OperationId, input, options)).body,
  ]);
  return { ...(Object.fromEntries(methods) as Methods), ask, pages, streamUrl } as Client;
}

/** The answer with its text. What ends a request early is thrown as it is. */
async function answered(
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
  const body = isJson ? jsonOf(id, text) : text;
  if (response.ok) {
    if (isJson || !expectsJson(id, response)) return body;
    throw new ConnectionError(id, 'Something else has answered in the place of the API');
  }
  if (typeof body === 'object' && body !== null && 'error' in body && typeof body.error === 'string') {
    throw new ApiError(id, body.error, response);
  }
  throw new ConnectionError(id, `Something else has answered in the place of the API (${response.status})`);
}

/** Text is what an operation is for, or what `format` has asked for. */
function expectsJson(id: OperationId, { headers }: Response): boolean {
  const route: Route = routes[id];
  return route.isText !== true && !/^(text\/csv|application\/x-ndjson)\b/.test(headers.get('Content-Type') ?? '');
}

function jsonOf(id: OperationId, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new ConnectionError(id, 'The answer is not whole', { cause });
  }
}
