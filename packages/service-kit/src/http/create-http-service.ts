import type { Express, Request, RequestHandler, Response } from 'express';
import type { Health } from '../health/create-health.ts';
import type { Logger } from '../logs/create-logger.ts';
import { boundLoad } from '../load/bound-load.ts';
import type { Metrics } from '../metrics/create-metrics.ts';
import { answerBrokenRequests } from './answer-raw.ts';
import { createApp, mountLastResort } from './create-app.ts';
import { createAppServer } from './create-server.ts';
import { limitCallers } from './limit-callers.ts';
import { urlOf } from './listen.ts';
import { listenersOf } from './listeners.ts';
import { isHealthPath, mountHealth } from './mount-health.ts';
import { mountRoutes } from './mount-routes.ts';
import type { Route } from './route.ts';
import { securityHeaders } from './security-headers.ts';
import { HttpProblem, sendError } from './send-error.ts';
import type { Sessions } from './sessions.ts';
import { gracefulStop } from './stop-server.ts';
import type { TrustedProxies } from './client-address.ts';
import { watchTraffic, type Front } from './watch-traffic.ts';

export interface HttpServiceOptions {
  name: string;
  host: string;
  /** 0: any free one. */
  port: number;
  /** A directory for a Unix socket beside the port, which a proxy in front shares. Default: none. */
  socketDirectory?: string | undefined;
  logger: Logger;
  metrics: Metrics;
  health: Health;
  routes: readonly Route[];
  /** Whose session a key is. Without it, no route may use a session. */
  sessions?: Sessions;
  /** Holds each answer of a route against its schema, and answers 500 where it is off: for tests. Default: false. */
  checkAnswers?: boolean;
  /** Stands before everything else, Express included, unless the service is stopping. Default: nobody. */
  front?: Front;
  /** Mounts what isn't an operation, in front of the routes. */
  configure?: (app: Express) => void;
  /**
   * Headers of every answer, beside {@link securityHeaders} or instead of them, those to requests so broken that they never reach
   * the app included.
   */
  everyAnswer?: Readonly<Record<string, string>>;
  /** Whose word on a caller's address the log believes; without it the log doesn't say whose request it was. */
  trustedProxies?: TrustedProxies;
  /** How long requests in flight may take once the service stops, in milliseconds. */
  stopTimeoutMs: number;
}

export interface HttpService {
  readonly app: Express;
  /** @throws StartError when the address can't be had */
  start(): Promise<{ url: string; port: number }>;
  /** Resolves when all in flight is answered, or cut off at the deadline. Stopping twice, or what never ran, is nothing. */
  stop(): Promise<void>;
}

/** A service's HTTP side: routes, health, and one contract for everything that can go wrong. */
export function createHttpService(options: HttpServiceOptions): HttpService {
  const { name, host, logger, metrics, health, trustedProxies } = options;
  const everyAnswer = { ...securityHeaders, ...options.everyAnswer };
  const app = createApp();
  mountHealth(app, health);
  options.configure?.(app);
  mountRoutes(app, options.routes, {
    checkAnswers: options.checkAnswers ?? false,
    sessions: options.sessions,
  });
  mountLastResort(app);
  logChanges(health, logger);

  const server = createAppServer(app);
  const listeners = listenersOf(server, options.socketDirectory);
  limitCallers(server, listeners.all, metrics);
  const { load, isTurnedAway } = boundLoad(server, { metrics, everyAnswer, isExempt: isHealthPath });
  const traffic = watchTraffic(server, {
    name,
    logger,
    metrics,
    everyAnswer,
    load,
    isTurnedAway,
    trustedProxies,
    front: options.front,
    answer: (req, res) => {
      // Where Express can't even find a path it asks nobody but this.
      (app as RequestHandler)(req as Request, res as Response, (error?: unknown) => {
        sendError(res, error ?? new HttpProblem(404, 'Unknown route'));
      });
    },
  });
  answerBrokenRequests(server, traffic, everyAnswer);
  const stopServer = gracefulStop(server, listeners.all, traffic);
  let starting: Promise<unknown> = Promise.resolve();
  let stopped: Promise<void> | undefined;
  const stopNow = async () => {
    // A start under way would leave a server that nobody stops.
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

function logChanges(health: Health, logger: Logger): void {
  health.onChange(({ name, status, cause }) => {
    if (status === 'up') logger.info('dependency up again', { dependency: name });
    else logger.warn('dependency down', { dependency: name, error: cause });
  });
}
