import type { Health } from '../health/create-health.ts';
import { createHttpService, type HttpServiceOptions } from '../http/create-http-service.ts';
import type { Logger } from '../logs/create-logger.ts';
import type { Metrics } from '../metrics/create-metrics.ts';
import { startMetrics } from '../metrics/serve-metrics.ts';
import { lifecycle, type Service, type Stop } from './lifecycle.ts';

type HttpOptions = Pick<
  HttpServiceOptions,
  'routes' | 'sessions' | 'validateResponses' | 'defaultHeaders' | 'trustedProxies' | 'fastPath' | 'configure'
>;

interface ServiceOptions extends HttpOptions {
  name: string;
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
  /** Called after all components have stopped, in reverse order. */
  disposers: readonly Stop[];
  /** Starts background components before HTTP; calls `started` as soon as each runs. */
  startComponents: (started: (stop: Stop) => void) => Promise<void>;
}

export type ComposedService = Service & { readonly logger: Logger };

export function composeService(options: ServiceOptions): ComposedService {
  const { config, disposers, startComponents, ...httpOptions } = options;
  const { name, logger, metrics, health } = options;
  const { HOST: host, PORT: port, SOCKET_DIRECTORY: socketDirectory, STOP_TIMEOUT_MS: stopTimeoutMs } = config;
  const http = createHttpService({ ...httpOptions, host, port, socketDirectory, stopTimeoutMs });
  let url = '';
  const { start, stop } = lifecycle({
    logger,
    disposers,
    begin: async (started) => {
      await startComponents(started);
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
