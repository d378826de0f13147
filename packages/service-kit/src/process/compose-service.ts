import type { OutboxRelay } from '../bus/index.ts';
import type { ServerConfig } from '../config/base-settings.ts';
import { createHealth } from '../health/create-health.ts';
import { createHttpService, type HttpServiceOptions } from '../http/create-http-service.ts';
import type { Logger } from '../logs/create-logger.ts';
import type { Metrics } from '../metrics/create-metrics.ts';
import { startMetrics } from '../metrics/serve-metrics.ts';
import { lifecycle, type Service, type Stop } from './lifecycle.ts';

/** A consumer or a background task. */
interface Component {
  stop: Stop;
}

type HttpOptions = Pick<
  HttpServiceOptions,
  'sessions' | 'defaultHeaders' | 'trustedProxies' | 'fastPath' | 'configure' | 'errorPages'
>;

/** The use that a service makes of its parts. */
export interface Composition<Members> extends HttpOptions {
  routes?: HttpServiceOptions['routes'];
  /** Publishes facts while the service runs. */
  relay?: OutboxRelay;
  /** Started in this order before HTTP, stopped in reverse after it. */
  components?: readonly (() => Component | Promise<Component>)[];
  /** Awaited after the service listens, and by nothing else: it may end after a stop. */
  whenListening?: () => Promise<void>;
  /** Readiness by name. Default: the parts with a `check`. */
  dependencies?: Record<string, () => Promise<void>>;
  /** Further fields of the health report, read for each. */
  details?: () => Record<string, unknown>;
  /** Further members of the created service. */
  members?: Members;
}

interface Shell {
  name: string;
  config: ServerConfig;
  logger: Logger;
  metrics: Metrics;
  validateResponses: boolean;
  stopTimeoutMs: number;
  stopping: AbortController;
  /** Called after all components have stopped, in reverse order. */
  disposers: readonly Stop[];
}

export type ComposedService = Service & { readonly logger: Logger };

export function composeService<Members extends object>(
  composition: Composition<Members>,
  { name, config, logger, metrics, validateResponses, stopTimeoutMs, stopping, disposers }: Shell,
): ComposedService & Members {
  const {
    routes = [],
    relay,
    components = [],
    whenListening,
    dependencies = {},
    details,
    members = {} as Members,
    ...http
  } = composition;
  const { HOST: host, PORT: port, SOCKET_DIRECTORY: socketDirectory } = config;
  const { NETWORK_ORIGIN: origin } = config;
  const health = createHealth({
    service: name,
    details: () => ({
      ...(origin !== undefined && { network: { origin, simulated: origin === 'simulated' } }),
      ...(relay && { outbox: relay.backlog }),
      ...details?.(),
    }),
  });
  for (const [dependency, check] of Object.entries(dependencies)) health.dependency(dependency, check);
  const server = createHttpService({
    ...http,
    name,
    routes,
    logger,
    metrics,
    health,
    validateResponses,
    host,
    port,
    socketDirectory,
    stopTimeoutMs,
  });
  let url = '';
  const { start, stop } = lifecycle({
    logger,
    disposers,
    onStopping: () => stopping.abort(),
    begin: async (started) => {
      if (relay) started(() => relay.stop());
      relay?.wake();
      for (const startComponent of components) {
        const component = await startComponent();
        started(() => component.stop());
      }
      started(() => server.stop());
      ({ url } = await server.start());
      logger.info(`${name} is listening`, { url });
      await startMetrics({ config, metrics: [metrics], logger, started });
    },
  });
  return {
    ...members,
    name,
    logger,
    url: () => url,
    start: async () => {
      await start();
      await whenListening?.();
    },
    stop: () => {
      health.stopping();
      return stop();
    },
  };
}
