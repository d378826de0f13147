import type { Health } from '../health/create-health.ts';
import type { HttpService } from '../http/create-http-service.ts';
import type { Logger } from '../logs/create-logger.ts';
import type { Metrics } from '../metrics/create-metrics.ts';
import { serveMetrics } from '../metrics/serve-metrics.ts';
import type { Service } from './service.ts';
import { stopInOrder } from './stop-in-order.ts';

/** Ends something that was opened or started. */
type Stop = () => Promise<void>;

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

/**
 * The life that all services have: parts start in order and stop in the reverse one, whatever has started is stopped when
 * what comes after it fails, and a stop during the start waits for it. Stopping twice is stopping once.
 */
export function composeService(parts: ServiceParts): ComposedService {
  const { name, logger, metrics, health, http, metricsAt, closers, startParts } = parts;
  let url = '';
  let starting = Promise.resolve();
  let stopped: Promise<void> | undefined;
  const running = [...closers];
  const shutDown = () => stopInOrder(running.splice(0).reverse());

  const begin = async () => {
    await startParts((stop) => running.push(stop));
    running.push(() => http.stop());
    ({ url } = await http.start());
    logger.info(`${name} is listening`, { url });
    if (metricsAt.port !== 0) {
      const server = await serveMetrics({ ...metricsAt, metrics: [metrics], logger });
      running.push(() => server.close());
    }
  };
  const undo = async (error: unknown) => {
    await shutDown().catch((fault: unknown) => logger.warn('stopping failed', { error: fault }));
    throw error;
  };

  return {
    name,
    logger,
    url: () => url,
    start: () => {
      starting = begin().catch(undo);
      return starting;
    },
    stop: () => {
      health.stopping();
      stopped ??= starting.catch(() => undefined).then(shutDown);
      return stopped;
    },
  };
}
