import type { Express } from 'express';
import type { Health } from '../health/create-health.ts';
import type { Logger } from '../logs/create-logger.ts';
import { loadShedding } from '../load/load-shedding.ts';
import type { Metrics } from '../metrics/create-metrics.ts';
import { createApp, createAppServer, mountErrorHandlers, limitConnections, type ErrorPages } from './create-server.ts';
import { urlOf, createListeners } from './listen.ts';
import { handleMalformedRequests } from './malformed-requests.ts';
import { isHealthPath, mountHealth } from './mount-routes.ts';
import { mountRoutes } from './mount-routes.ts';
import type { Route, Sessions } from './route.ts';
import { gracefulStop } from './stop-server.ts';
import type { TrustedProxies } from './client-address.ts';
import { trackRequests, type FastPath } from './track-requests.ts';

/** Headers of every response: no sniffing, no frames, no loading. A page replaces the policy with its own. */
export const securityHeaders = {
  'X-Content-Type-Options': 'nosniff',
  'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'",
  'Referrer-Policy': 'no-referrer',
} as const;

export interface HttpServiceOptions {
  name: string;
  host: string;
  /** 0: any free port. */
  port: number;
  /** Directory for an additional Unix socket, shared with the proxy in front. Default: none. */
  socketDirectory?: string | undefined;
  logger: Logger;
  metrics: Metrics;
  health: Health;
  routes: readonly Route[];
  sessions?: Sessions;
  /** Validates each response by its schema, 500 if invalid: for tests. Default: false. */
  validateResponses?: boolean;
  /** Called before Express and all checks, unless the service is stopping. */
  fastPath?: FastPath;
  /** Mounts middleware and other routes in front of the operations. */
  configure?: (app: Express) => void;
  /** Shows errors to people. Default: JSON for all. */
  errorPages?: ErrorPages;
  /** Headers of every response, malformed requests included; they extend or override {@link securityHeaders}. */
  defaultHeaders?: Readonly<Record<string, string>>;
  /** Proxies whose X-Forwarded-For is trusted. Public services only; without it client addresses aren't logged. */
  trustedProxies?: TrustedProxies;
  /** Timeout of requests in flight once the service stops. */
  stopTimeoutMs: number;
}

export interface HttpService {
  readonly app: Express;
  /** @throws StartError when it can't listen on the address */
  start(): Promise<{ url: string; port: number }>;
  /** Graceful stop; requests in flight are aborted at the deadline. Idempotent. */
  stop(): Promise<void>;
}

export function createHttpService(options: HttpServiceOptions): HttpService {
  const { name, host, logger, metrics, health, trustedProxies } = options;
  const defaultHeaders = { ...securityHeaders, ...options.defaultHeaders };
  const app = createApp();
  mountHealth(app, health);
  options.configure?.(app);
  mountRoutes(app, options.routes, {
    validateResponses: options.validateResponses ?? false,
    sessions: options.sessions,
  });
  mountErrorHandlers(app, options.errorPages);
  health.onChange(({ name: dependency, status, cause }) => {
    if (status === 'up') logger.info('dependency up again', { dependency });
    else logger.warn('dependency down', { dependency, error: cause });
  });

  const server = createAppServer(app);
  const listeners = createListeners(server, options.socketDirectory);
  limitConnections(server, listeners.all, metrics);
  const admit = loadShedding({ metrics, defaultHeaders, isExempt: isHealthPath });
  const tracker = trackRequests(server, {
    name,
    logger,
    metrics,
    defaultHeaders,
    admit,
    trustedProxies,
    fastPath: options.fastPath,
    errorPages: options.errorPages,
    app,
  });
  handleMalformedRequests(server, tracker, defaultHeaders);
  const stopServer = gracefulStop(server, listeners.all, tracker);
  let starting: Promise<unknown> = Promise.resolve();
  let stopped: Promise<void> | undefined;
  const stopNow = async () => {
    // Otherwise a start in progress would leave a running server.
    await starting.catch(() => undefined);
    if (server.listening) await stopServer(options.stopTimeoutMs);
  };

  return {
    app,
    start: async () => {
      const listening = listeners.open({ host, port: options.port, setting: 'PORT' });
      starting = listening;
      const port = await listening;
      const url = urlOf(host, port);
      logger.debug('listening', { name, url });
      return { url, port };
    },
    stop: () => {
      health.stopping();
      stopped ??= stopNow();
      return stopped;
    },
  };
}
