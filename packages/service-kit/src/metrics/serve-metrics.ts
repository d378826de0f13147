import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { AggregatorRegistry, collectDefaultMetrics, Registry } from 'prom-client';
import { listen, urlOf } from '../http/listen.ts';
import { sendJson } from '../http/send-response.ts';
import type { Logger } from '../logs/create-logger.ts';
import type { Stop } from '../process/lifecycle.ts';
import type { Metrics } from './create-metrics.ts';

interface MetricsServerOptions {
  host: string;
  /** 0: any free port. */
  port: number;
  metrics: readonly Metrics[];
  logger: Logger;
}

interface MetricsServer {
  readonly url: string;
  close(): Promise<void>;
}

/** Serves metrics of all services and of the process on a port that is never public. @throws StartError */
export async function serveMetrics({ host, port, metrics, logger }: MetricsServerOptions): Promise<MetricsServer> {
  const processRegistry = new Registry();
  collectDefaultMetrics({ register: processRegistry });
  const server = createServer((req, res) => {
    handle(req, res, metrics, processRegistry).catch((error: unknown) => {
      logger.error('metrics could not be read', { error });
      if (res.headersSent) res.destroy();
      else sendJson(res, 500, { error: 'Internal error' });
    });
  });
  const bound = await listen(server, { host, port, setting: 'METRICS_PORT', hostSetting: 'METRICS_HOST' });
  return {
    url: urlOf(host, bound),
    close: async () => {
      processRegistry.clear();
      await new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      });
    },
  };
}

async function handle(
  req: IncomingMessage,
  res: ServerResponse,
  metrics: readonly Metrics[],
  processRegistry: Registry,
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
  const perService = await Promise.all(metrics.map(({ registry }) => registry.getMetricsAsJSON()));
  const texts = [await AggregatorRegistry.aggregate(perService).metrics(), await processRegistry.metrics()];
  const bytes = Buffer.from(texts.join('\n'));
  res.writeHead(200, { 'Content-Type': processRegistry.contentType, 'Content-Length': bytes.length }).end(bytes);
}

interface StartMetricsOptions extends Pick<MetricsServerOptions, 'metrics' | 'logger'> {
  config: { METRICS_HOST: string; METRICS_PORT: number };
  started: (stop: Stop) => void;
}

export async function startMetrics({ config, metrics, logger, started }: StartMetricsOptions): Promise<void> {
  const { METRICS_HOST: host, METRICS_PORT: port } = config;
  if (port === 0) return;
  const server = await serveMetrics({ host, port, metrics, logger });
  started(() => server.close());
}
