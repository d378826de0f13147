import { backoffMs, delay } from './delay.ts';
import { ApiError, ConnectionError } from './errors.ts';
import type { STREAM_RESET, StreamData } from './generated/stream.ts';
import { readEvents, type ReceivedEvent } from './read-events.ts';
import { errorOf, type Fetch } from './send-request.ts';

export type StreamTopic = keyof StreamData;

/** An event of the live stream. After `reset`, events may be missing: read the displayed state again. */
export type StreamEvent<Topic extends StreamTopic = StreamTopic> =
  | { readonly [Name in Topic]: { readonly topic: Name; readonly data: StreamData[Name]; readonly id: string } }[Topic]
  | { readonly topic: typeof STREAM_RESET; readonly data: object; readonly id: string };

export interface StreamOptions {
  /** Ends the stream, which throws the reason of the signal. */
  readonly signal?: AbortSignal | undefined;
  /** Continues after this event. */
  readonly lastEventId?: string | undefined;
  /** Names, 20 at most, of the users, players and hosts whose events are sent. Default: all. */
  readonly names?: readonly string[] | undefined;
  /** Title IDs, 20 at most, of the games whose events are sent. Default: all. */
  readonly titleIds?: readonly string[] | undefined;
}

const OPERATION = 'streamEvents';
const BACKOFF = { firstMs: 1000, longestMs: 30_000 };

/**
 * Yields the events of the stream. After an interruption it reconnects, after the time that the server names and with
 * backoff, and continues after the last event.
 *
 * @throws ApiError if the server rejects the request itself, such as an unknown topic
 */
export async function* streamEvents(
  url: string,
  fetching: Fetch,
  { signal, lastEventId }: StreamOptions,
): AsyncGenerator<ReceivedEvent, void, undefined> {
  let lastId = lastEventId;
  let { firstMs } = BACKOFF;
  const onRetry = (ms: number) => {
    firstMs = Math.min(ms, BACKOFF.longestMs);
  };
  let failures = 0;
  for (;;) {
    let retryAfterMs = 0;
    try {
      for await (const event of connect({ url, fetching, lastEventId: lastId, signal, onRetry })) {
        failures = 0;
        lastId = event.id === '' ? lastId : event.id;
        yield event;
      }
    } catch (error) {
      if (signal?.aborted) throw signal.reason;
      if (!isTemporary(error)) throw error;
      if (error instanceof ApiError) retryAfterMs = (error.retryAfterSeconds ?? 0) * 1000;
    }
    await delay(Math.max(retryAfterMs, backoffMs(failures, { ...BACKOFF, firstMs })), signal);
    failures += 1;
  }
}

interface Connection {
  readonly url: string;
  readonly fetching: Fetch;
  readonly lastEventId: string | undefined;
  readonly signal: AbortSignal | undefined;
  readonly onRetry: (ms: number) => void;
}

async function* connect({ url, fetching, lastEventId, signal, onRetry }: Connection) {
  const ending = new AbortController();
  const end = () => ending.abort(signal?.reason);
  signal?.throwIfAborted();
  signal?.addEventListener('abort', end);
  try {
    const headers = { Accept: 'text/event-stream', ...(lastEventId !== undefined && { 'Last-Event-ID': lastEventId }) };
    const response = await fetching(url, { headers, cache: 'no-store', signal: ending.signal });
    if (!response.ok) throw errorOf(OPERATION, response, await response.text());
    if (response.body !== null) yield* readEvents(response.body, onRetry);
  } catch (cause) {
    if (cause instanceof ApiError || cause instanceof ConnectionError) throw cause;
    throw new ConnectionError(OPERATION, 'The stream was interrupted', { cause });
  } finally {
    signal?.removeEventListener('abort', end);
    ending.abort();
  }
}

/** Whether a later attempt may succeed. */
function isTemporary(error: unknown): boolean {
  return (
    error instanceof ConnectionError || (error instanceof ApiError && (error.status === 429 || error.status >= 500))
  );
}
