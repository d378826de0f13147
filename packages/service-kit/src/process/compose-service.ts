import type { Health } from '../health/create-health.ts';
import { createHttpService, type HttpServiceOptions } from '../http/create-http-service.ts';
import type { Logger } from '../logs/create-logger.ts';
import type { Metrics } from '../metrics/create-metrics.ts';
import { startMetrics } from '../metrics/serve-metrics.ts';
import { lifecycle, type Service, type Stop } from './lifecycle.ts';

type HttpOptions = Pick<
  HttpServiceOptions,
  'routes' | 'sessions' | 'checkAnswers' | 'everyAnswer' | 'trustedProxies' | 'front' | 'configure'
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
  /** Close resources opened before, after all else is stopped, in reverse order. */
  closers: readonly Stop[];
  /** Starts other parts before HTTP; calls `started` for each at once. */
  startParts: (started: (stop: Stop) => void) => Promise<void>;
}

export type ComposedService = Service & { readonly logger: Logger };

export function composeService(options: ServiceOptions): ComposedService {
  const { config, closers, startParts, ...httpOptions } = options;
  const { name, logger, metrics, health } = options;
  const { HOST: host, PORT: port, SOCKET_DIRECTORY: socketDirectory, STOP_TIMEOUT_MS: stopTimeoutMs } = config;
  const http = createHttpService({ ...httpOptions, host, port, socketDirectory, stopTimeoutMs });
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
