import type { IncomingHttpHeaders } from 'node:http';
import type { Readable } from 'node:stream';
import { createHttpClient } from '@lobbystats/service-kit';

export interface Question {
  method: string;
  url: string;
  headers: IncomingHttpHeaders;
  body: Buffer;
}

/** Request headers that are forwarded. */
const TOLD = ['authorization', 'content-type', 'accept', 'accept-encoding', 'user-agent'] as const;
const PING_MS = 1500;

/** Answers are streamed; each query has a shorter time limit of its own. */
const client = createHttpClient({ timeoutMs: 660_000, maxBytes: -1 });

/**
 * Forwards a query unchanged; resolves when its answer begins.
 *
 * @throws what the network does, or the signal's abortion
 */
export async function askInflux(influxUrl: string, { method, url, headers, body }: Question, signal: AbortSignal) {
  // false keeps axios from adding a header.
  const told = Object.fromEntries(TOLD.map((name) => [name, headers[name] ?? false]));
  return client.request<Readable>({
    method,
    url: influxUrl + url,
    data: body,
    // A kept connection could close just as a query is sent.
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
