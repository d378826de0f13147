import type { IncomingHttpHeaders } from 'node:http';
import type { Readable } from 'node:stream';
import { createHttpClient } from '@lobbystats/service-kit';

/** A request that has come in whole. */
export interface Question {
  method: string;
  /** Path and query, as they came. */
  url: string;
  headers: IncomingHttpHeaders;
  body: Buffer;
}

/** What of a question InfluxDB is told beside the body: who asks, in which language, and what the answer is to be like. */
const TOLD = ['authorization', 'content-type', 'accept', 'accept-encoding', 'user-agent'] as const;
const PING_MS = 1500;

/** Answers are streamed, however long they are. Each question has its own time limit, which is shorter. */
const client = createHttpClient({ timeoutMs: 660_000, maxBytes: -1 });

/**
 * Asks an InfluxDB what somebody has asked, word by word; resolves when its answer begins.
 *
 * @throws what the network does, or the signal's abortion
 */
export async function askInflux(influxUrl: string, { method, url, headers, body }: Question, signal: AbortSignal) {
  // What wasn't said isn't said for the asker either: false keeps a header of the client's own away.
  const told = Object.fromEntries(TOLD.map((name) => [name, headers[name] ?? false]));
  return client.request<Readable>({
    method,
    url: influxUrl + url,
    data: body,
    // A connection each: on a kept one a question could meet its end.
    headers: { ...told, connection: 'close' },
    responseType: 'stream',
    decompress: false,
    signal,
  });
}

/** Rejects where an InfluxDB doesn't answer. */
export async function pingInflux(influxUrl: string): Promise<void> {
  const { status } = await client.get(`${influxUrl}/ping`, { timeout: PING_MS, headers: { connection: 'close' } });
  if (status !== 204) throw new Error(`a ping is answered with ${status}`);
}
