import type { Server } from 'node:http';
import type { Server as NetServer } from 'node:net';
import type { Metrics } from '../metrics/create-metrics.ts';

/** What callers may cost, beside the bytes and the time of a request. */
export interface CallerLimits {
  /** Open connections; one more is closed at once. */
  connectionsMax: number;
  /** How long an answer may wait for its reader without a byte of progress, in milliseconds. */
  stalledMs: number;
}

/** Twice the readers that a gateway is made for, some 200 MB at the worst. */
const USUAL: CallerLimits = { connectionsMax: 10_000, stalledMs: 30_000 };

/**
 * Bounds how many connections a server has, and how long one is kept that takes nothing of its answer.
 *
 * @param listeners everything that accepts connections for it; each has the whole limit
 */
export function limitCallers(
  server: Server,
  listeners: readonly NetServer[],
  metrics: Metrics,
  { connectionsMax, stalledMs }: CallerLimits = USUAL,
): void {
  const refused = metrics.counter('http_connections_refused_total', 'Connections closed because there were too many');
  for (const listener of listeners) {
    listener.maxConnections = connectionsMax;
    listener.on('drop', () => {
      refused.inc();
    });
  }
  // Looked at when a request begins: between requests it is the time for which a connection is kept alive that counts.
  server.timeout = stalledMs;
  // Beyond this many Node would drop headers in silence. Their bytes are bounded, and that bounds their number.
  server.maxHeadersCount = 0;
}
