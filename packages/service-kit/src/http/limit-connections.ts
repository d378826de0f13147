import type { Server } from 'node:http';
import type { Server as NetServer } from 'node:net';
import type { Metrics } from '../metrics/create-metrics.ts';

export interface ConnectionLimits {
  connectionsMax: number;
  /** Timeout of a response without a byte of progress. */
  stalledMs: number;
}

/** Twice the stream subscribers that a gateway is designed for; at worst some 200 MB. */
const DEFAULTS: ConnectionLimits = { connectionsMax: 10_000, stalledMs: 30_000 };

export function limitConnections(
  server: Server,
  listeners: readonly NetServer[],
  metrics: Metrics,
  { connectionsMax, stalledMs }: ConnectionLimits = DEFAULTS,
): void {
  const refused = metrics.counter('http_connections_rejected_total', 'Connections closed because there were too many');
  for (const listener of listeners) {
    listener.maxConnections = connectionsMax;
    listener.on('drop', () => {
      refused.inc();
    });
  }
  // Applies during requests; the keep-alive timeout applies between them.
  server.timeout = stalledMs;
  // Node silently drops headers above a count; the byte limit bounds them already.
  server.maxHeadersCount = 0;
}
