import type { Health } from '../health/create-health.ts';
import type { HttpService } from '../http/create-http-service.ts';
import type { Logger } from '../logs/create-logger.ts';
import type { Metrics } from '../metrics/create-metrics.ts';
import { serveMetrics } from '../metrics/serve-metrics.ts';
import { lifecycle, type Stop } from './lifecycle.ts';
import type { Service } from './service.ts';

export interface ServiceParts {
  name: string;
  logger: Logger;
  metrics: Metrics;
  health: Health;
  http: HttpService;
  /** Where its metrics are read; port 0: nowhere. */
  metricsAt: { host: string; port: number };
  /** Closes what is open already: last of all, the last opened first. */
  closers: readonly Stop[];
  /** Starts what works beside HTTP, before it. Each part that has started is told of at once, with how it is stopped. */
  startParts: (started: (stop: Stop) => void) => Promise<void>;
}

/** A service whose log can be shared. */
export type ComposedService = Service & { readonly logger: Logger };

/** The life that all services have: their parts start, then HTTP and metrics; see {@link lifecycle}. */
export function composeService(parts: ServiceParts): ComposedService {
  const { name, logger, metrics, health, http, metricsAt, closers, startParts } = parts;
  let url = '';
  const { start, stop } = lifecycle({
    logger,
    closers,
    begin: async (started) => {
      await startParts(started);
      started(() => http.stop());
      ({ url } = await http.start());
      logger.info(`${name} is listening`, { url });
      if (metricsAt.port === 0) return;
      const server = await serveMetrics({ ...metricsAt, metrics: [metrics], logger });
      started(() => server.close());
    },
  });
  return {
    name,
    logger,
    url: () => url,
    start,
    stop: () => {
      health.stopping();
      return stop();
    },
  };
}
