import type { IncomingHttpHeaders } from 'node:http';
import type { Readable } from 'node:stream';
import { createHttpClient } from '@lobbystats/service-kit';

export interface InfluxQuery {
  method: string;
  url: string;
  headers: IncomingHttpHeaders;
  body: Buffer;
}

/** Request headers that are forwarded. */
const FORWARDED_HEADERS = ['authorization', 'content-type', 'accept', 'accept-encoding', 'user-agent'] as const;
const PING_TIMEOUT_MS = 1500;

/** Responses are streamed; each query has a shorter timeout of its own. */
const client = createHttpClient({ timeoutMs: 660_000, maxBytes: -1, mayRepeat: true });

/**
 * Forwards a query unchanged; resolves when its response begins.
 *
 * @throws network errors, and the reason of an aborted signal
 */
export async function forwardQuery(
  influxUrl: string,
  { method, url, headers, body }: InfluxQuery,
  signal: AbortSignal,
) {
  // false keeps axios from adding a header.
  const forwarded = Object.fromEntries(FORWARDED_HEADERS.map((name) => [name, headers[name] ?? false]));
  return client.request<Readable>({
    method,
    url: influxUrl + url,
    data: body,
    headers: forwarded,
    responseType: 'stream',
    decompress: false,
    signal,
  });
}

/** Rejects when InfluxDB does not respond. */
export async function pingInflux(influxUrl: string): Promise<void> {
  const { status } = await client.get(`${influxUrl}/ping`, { timeout: PING_TIMEOUT_MS });
  if (status !== 204) throw new Error(`ping returned ${status}`);
}
