import { buildRequest, type RequestParts, type Route } from './build-request.ts';
import { routes } from './generated/operations.ts';
import { STREAM_PATH } from './generated/stream.ts';
import type { ResponseCache } from './response-cache.ts';
import { sendRequest, type Fetch } from './send-request.ts';
import { streamEvents, type StreamEvent, type StreamOptions, type StreamTopic } from './stream-events.ts';
import type {
  ApiResponse,
  BodyOf,
  CallOptions,
  InputOf,
  ItemOf,
  Methods,
  OperationId,
  PagedOperationId,
} from './types.ts';
import { withRetries } from './with-retries.ts';

export interface ClientOptions {
  /** Origin of the API: `https://stats.example`. */
  readonly baseUrl: string;
  /** The session key, or a function that returns it. Sent in a header, only to operations that use a session. */
  readonly sessionKey?: string | (() => string | null | undefined) | undefined;
  /** Attempts after a refused or lost one. Default: 2; 0 disables retries. */
  readonly retries?: number | undefined;
  /** Makes requests conditional: `createResponseCache()`. Default: none. */
  readonly cache?: ResponseCache | undefined;
  /** Default: the global `fetch`. */
  readonly fetch?: Fetch | undefined;
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
  pages<Id extends PagedOperationId, const Input extends InputOf<Id>>(
    operation: Id,
    input: Input,
    options?: CallOptions,
  ): AsyncGenerator<BodyOf<Id, Input>, void, undefined>;
  /** Yields the elements of all pages. */
  items<Id extends PagedOperationId>(
    operation: Id,
    input: InputOf<Id> & { readonly format?: 'json' | undefined },
    options?: CallOptions,
  ): AsyncGenerator<ItemOf<Id>, void, undefined>;
  /** Yields the events of the live stream; continues after interruptions, until the signal or `break` ends it. */
  events<Topic extends StreamTopic>(
    topics: readonly Topic[],
    options?: StreamOptions,
  ): AsyncGenerator<StreamEvent<Topic>, void, undefined>;
  /** URL of the live stream for an `EventSource`. Default: all topics. */
  streamUrl(
    topics?: readonly StreamTopic[],
    lastEventId?: string,
    names?: readonly string[],
    titleIds?: readonly string[],
  ): string;
}

/**
 * Creates a client. Its only state is the cache.
 *
 * @throws TypeError if `baseUrl` is no `http:` or `https:` URL
 */
export function createClient(options: ClientOptions): Client {
  const { baseUrl, sessionKey, retries = 2, cache, fetch = globalThis.fetch } = options;
  if (!/^https?:\/\/[^/]/i.test(baseUrl))
    throw new TypeError(`baseUrl must be the origin of the API, such as https://stats.example, not ${baseUrl}`);
  const keyOf = (call: CallOptions) =>
    call.sessionKey ?? (typeof sessionKey === 'function' ? (sessionKey() ?? undefined) : sessionKey);
  const partsOf = (id: OperationId, input: object, options: CallOptions): RequestParts =>
    buildRequest(baseUrl, routes[id], input as Record<string, unknown>, { ...options, sessionKey: keyOf(options) });
  const send = (id: OperationId, parts: RequestParts, { signal }: CallOptions) =>
    withRetries(() => sendRequest(parts, { id, route: routes[id], fetching: fetch, cache, signal }), {
      method: parts.init.method,
      retries,
      signal,
    });
  const request = async (id: OperationId, input: object = {}, options: CallOptions = {}) =>
    send(id, partsOf(id, input, options), options);
  async function* pages(id: OperationId, input: object, options: CallOptions = {}) {
    const { url, init } = partsOf(id, input, options);
    for (let next: string | undefined = url; next !== undefined;) {
      const page: ApiResponse<unknown> = await send(id, { url: next, init }, options);
      yield page.body;
      ({ next } = page);
    }
  }
  async function* items(id: OperationId, input: object, options?: CallOptions) {
    const { items: field = '' }: Route = routes[id];
    for await (const page of pages(id, input, options)) yield* (page as Record<string, unknown[]>)[field] ?? [];
  }
  const streamUrl = (
    topics: readonly string[] = [],
    lastEventId?: string,
    names: readonly string[] = [],
    titleIds: readonly string[] = [],
  ) => {
    const query = new URLSearchParams();
    if (topics.length > 0) query.set('topics', topics.join(','));
    if (names.length > 0) query.set('names', names.join(','));
    if (titleIds.length > 0) query.set('titleId', titleIds.join(','));
    if (lastEventId !== undefined) query.set('lastEventId', lastEventId);
    return `${baseUrl.replace(/\/+$/, '')}${STREAM_PATH}${query.size === 0 ? '' : `?${query.toString()}`}`;
  };
  const events = (topics: readonly string[], options: StreamOptions = {}) =>
    streamEvents(streamUrl(topics, undefined, options.names, options.titleIds), fetch, options);
  const methods = Object.keys(routes).map((id) => [
    id,
    async (input?: object, options?: CallOptions) => (await request(id as OperationId, input, options)).body,
  ]);
  return { ...(Object.fromEntries(methods) as Methods), request, pages, items, events, streamUrl } as Client;
}
