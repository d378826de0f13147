import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { AggregatorRegistry, collectDefaultMetrics, Registry } from 'prom-client';
import { listen, urlOf } from '../http/listen.ts';
import { sendJson } from '../http/send-json.ts';
import type { Logger } from '../logs/create-logger.ts';
import type { Metrics } from './create-metrics.ts';

export interface MetricsServerOptions {
  host: string;
  /** 0: any free one. */
  port: number;
  /** Of every service in this process. */
  metrics: readonly Metrics[];
  logger: Logger;
}

export interface MetricsServer {
  readonly url: string;
  close(): Promise<void>;
}

/**
 * Serves `GET /metrics` for Prometheus: the measurements of all services in this process, and those of the process
 * itself once. On a port of its own, which is never public.
 *
 * @throws StartError when the port is in use or the host is not this machine's
 */
export async function serveMetrics({ host, port, metrics, logger }: MetricsServerOptions): Promise<MetricsServer> {
  const ofProcess = new Registry();
  collectDefaultMetrics({ register: ofProcess });
  const server = createServer((req, res) => {
    answer(req, res, metrics, ofProcess).catch((error: unknown) => {
      logger.error('metrics could not be read', { error });
      if (res.headersSent) res.destroy();
      else sendJson(res, 500, { error: 'Internal error' });
    });
  });
  const bound = await listen(server, { host, port, setting: 'METRICS_PORT', hostSetting: 'METRICS_HOST' });
  return {
    url: urlOf(host, bound),
    close: async () => {
      ofProcess.clear();
      await closed(server);
    },
  };
}

async function answer(
  req: IncomingMessage,
  res: ServerResponse,
  metrics: readonly Metrics[],
  ofProcess: Registry,
): Promise<void> {
  const [path] = (req.url ?? '').split('?', 1);
  if (path !== '/metrics') {
    sendJson(res, 404, { error: 'Unknown route: metrics are at /metrics' });
    return;
  }
  if (req.method !== 'GET' && req.method !== 'HEAD') {
    sendJson(res, 405, { error: 'Method not allowed' }, { Allow: 'GET, HEAD' });
    return;
  }
  const ofServices = await Promise.all(metrics.map(({ registry }) => registry.getMetricsAsJSON()));
  const texts = [await AggregatorRegistry.aggregate(ofServices).metrics(), await ofProcess.metrics()];
  const bytes = Buffer.from(texts.join('\n'));
  res.writeHead(200, { 'Content-Type': ofProcess.contentType, 'Content-Length': bytes.length }).end(bytes);
}

function closed(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => {
      resolve();
    });
    server.closeAllConnections();
  });
}
