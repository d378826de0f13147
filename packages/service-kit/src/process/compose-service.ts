import type { Health } from '../health/create-health.ts';
import { createHttpService, type HttpServiceOptions } from '../http/create-http-service.ts';
import type { Logger } from '../logs/create-logger.ts';
import type { Metrics } from '../metrics/create-metrics.ts';
import { startMetrics } from '../metrics/start-metrics.ts';
import { lifecycle, type Stop } from './lifecycle.ts';
import type { Service } from './service.ts';

/** What of HTTP differs between services. */
type HttpParts = Pick<
  HttpServiceOptions,
  'routes' | 'sessions' | 'checkAnswers' | 'everyAnswer' | 'trustedProxies' | 'front' | 'configure'
>;

export interface ServiceParts extends HttpParts {
  name: string;
  /** Of the settings that all services have. A METRICS_PORT of 0: its metrics are read nowhere. */
  config: {
    HOST: string;
    PORT: number;
    METRICS_HOST: string;
    METRICS_PORT: number;
    STOP_TIMEOUT_MS: number;
    SOCKET_DIRECTORY?: string | undefined;
  };
  logger: Logger;
  metrics: Metrics;
  health: Health;
  /** Closes what is open already: last of all, the last opened first. */
  closers: readonly Stop[];
  /** Starts what works beside HTTP, before it. Each part that has started is told of at once, with how it is stopped. */
  startParts: (started: (stop: Stop) => void) => Promise<void>;
}

/** A service whose log can be shared. */
export type ComposedService = Service & { readonly logger: Logger };

/** The life that all services have: their parts start, then HTTP and metrics; see {@link lifecycle}. */
export function composeService(parts: ServiceParts): ComposedService {
  const { config, closers, startParts, ...httpParts } = parts;
  const { name, logger, metrics, health } = parts;
  const { HOST: host, PORT: port, SOCKET_DIRECTORY: socketDirectory, STOP_TIMEOUT_MS: stopTimeoutMs } = config;
  const http = createHttpService({ ...httpParts, host, port, socketDirectory, stopTimeoutMs });
  let url = '';
  const { start, stop } = lifecycle({
    logger,
    closers,
    begin: async (started) => {
      await startParts(started);
      started(() => http.stop());
      ({ url } = await http.start());
      logger.info(`${name} is listening`, { url });
      await startMetrics({ config, metrics: [metrics], logger, started });
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
