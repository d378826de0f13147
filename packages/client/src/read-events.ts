import { createParser } from 'eventsource-parser';
import { STREAM_HEARTBEAT_SECONDS } from './generated/stream.ts';

export interface ReceivedEvent {
  readonly topic: string;
  readonly data: unknown;
  readonly id: string;
}

/** After this time without a heartbeat the connection is lost. */
const SILENCE_MS = 3 * STREAM_HEARTBEAT_SECONDS * 1000;

/**
 * Yields the events of one response.
 *
 * @param onRetry receives the server's reconnection time in milliseconds
 * @throws Error if the connection is lost or an event is invalid
 */
export async function* readEvents(
  body: ReadableStream<Uint8Array>,
  onRetry: (ms: number) => void,
): AsyncGenerator<ReceivedEvent, void, undefined> {
  const events: ReceivedEvent[] = [];
  const parser = createParser({
    onRetry,
    onEvent: ({ event = 'message', data, id = '' }) => events.push({ topic: event, data: JSON.parse(data), id }),
  });
  const decoder = new TextDecoder();
  const reader = body.getReader();
  try {
    for (;;) {
      const { done, value } = await readWithin(reader, SILENCE_MS);
      if (done) return;
      parser.feed(decoder.decode(value, { stream: true }));
      yield* events.splice(0);
    }
  } finally {
    void reader.cancel().catch(() => undefined);
  }
}

async function readWithin(reader: ReadableStreamDefaultReader<Uint8Array>, ms: number) {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const silence = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error('The stream is silent')), ms);
  });
  try {
    return await Promise.race([reader.read(), silence]);
  } finally {
    clearTimeout(timer);
  }
}
