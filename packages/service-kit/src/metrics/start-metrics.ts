import type { Stop } from '../process/lifecycle.ts';
import { serveMetrics, type MetricsServerOptions } from './serve-metrics.ts';

export interface StartMetricsOptions extends Pick<MetricsServerOptions, 'metrics' | 'logger'> {
  /** A METRICS_PORT of 0 starts no server. */
  config: { METRICS_HOST: string; METRICS_PORT: number };
  started: (stop: Stop) => void;
}

/**
 * Serves the metrics of a process where its settings say.
 *
 * @throws StartError when the port is in use or the host is not this machine's
 */
export async function startMetrics({ config, metrics, logger, started }: StartMetricsOptions): Promise<void> {
  const { METRICS_HOST: host, METRICS_PORT: port } = config;
  if (port === 0) return;
  const server = await serveMetrics({ host, port, metrics, logger });
  started(() => server.close());
}
