import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { once, setMaxListeners } from 'node:events';
import express, { type ErrorRequestHandler } from 'express';
import { createAccounts, type Account } from './auth/accounts.ts';
import { authRouter } from './auth/auth-router.ts';
import { ControlApiError } from './control-api/control-api-error.ts';
import { controlApiRouter, sendControlApiError } from './control-api/control-api-router.ts';
import { createRequestTally } from './control-api/request-tally.ts';
import { discordRouter } from './discord/discord-router.ts';
import { createFaultList, isSitePath } from './faults/fault-list.ts';
import { createFaulty } from './faults/faulty-handler.ts';
import { pageRouter, sendStatus } from './pages/page-router.ts';
import { createSimulatorClock } from './simulator-clock.ts';
import { simulatorOptionsSchema, type SimulatorOptions } from './simulator-options.ts';
import { createWorld, type World } from './world/world.ts';

const STOP_GRACE_MS = 1_000;
const HEADERS_TIMEOUT_MS = 10_000;
const REQUEST_TIMEOUT_MS = 30_000;

export interface Simulator {
  /** May be called again after `stop`. */
  start(): Promise<{ url: string; port: number }>;
  /** Stops listening, waits a second for requests, then closes connections. Idempotent. */
  stop(): Promise<void>;
  world: World;
  accounts: readonly Account[];
}

/** Invalid options throw a `ZodError`. */
export function createSimulator(options: SimulatorOptions = {}): Simulator {
  const parsed = simulatorOptionsSchema.parse(options);
  const { host, port, design, latencyMs, discordToken, clock: baseClock, log, ...worldOptions } = parsed;
  const world = createWorld(worldOptions);
  const accounts = createAccounts(world, worldOptions.seed);
  const sessions = new Map<string, Account>();
  const clock = createSimulatorClock(baseClock);
  const faults = createFaultList(latencyMs === 0 ? [] : [{ path: '*', kind: 'latency', ms: latencyMs }]);
  let running: { server: Server; stopping: AbortController } | undefined;

  return {
    world,
    accounts,
    async start() {
      if (running !== undefined) throw new Error('the simulator is already started');
      const stopping = new AbortController();
      setMaxListeners(0, stopping.signal);
      const timeouts = { headersTimeout: HEADERS_TIMEOUT_MS, requestTimeout: REQUEST_TIMEOUT_MS };
      const server = createServer(timeouts, createApp(stopping.signal));
      running = { server, stopping };
      try {
        const address = await listen(server, host, port);
        const url = `http://${address.family === 'IPv6' ? `[${address.address}]` : address.address}:${address.port}`;
        log(`simulated network at ${url}`);
        return { url, port: address.port };
      } catch (error) {
        running = undefined;
        throw error;
      }
    },
    async stop() {
      if (running === undefined) return;
      const { server, stopping } = running;
      running = undefined;
      stopping.abort();
      await close(server);
      log('simulated network stopped');
    },
  };

  /** Control API, auth service, Discord and the site, behind the current faults. */
  function createApp(stopping: AbortSignal) {
    const faulty = createFaulty(faults, clock, stopping);
    const tally = createRequestTally();
    const app = express();
    app.disable('x-powered-by');
    app.set('etag', false);
    app.use((request, response, next) => tally.middleware(request, response, next));
    app.use((_, response, next) => {
      if (stopping.aborted) response.set('Connection', 'close');
      next();
    });
    app.use(controlApiRouter({ world, accounts, faults, faulty, clock, tally, log }));
    app.use('/api/auth', authRouter({ world, accounts, sessions, faulty }));
    app.use('/discord', discordRouter(faulty, discordToken));
    app.use(pageRouter(world, faulty, design));
    app.use(errorHandler(log));
    return app;
  }
}

async function listen(server: Server, host: string, port: number): Promise<AddressInfo> {
  server.listen(port, host);
  await once(server, 'listening');
  return server.address() as AddressInfo;
}

async function close(server: Server): Promise<void> {
  const cut = setTimeout(() => server.closeAllConnections(), STOP_GRACE_MS);
  const closed = once(server, 'close');
  server.close();
  server.closeIdleConnections();
  await closed;
  clearTimeout(cut);
}

function errorHandler(log: (line: string) => void): ErrorRequestHandler {
  // Express recognises error handlers by four parameters.
  return (error: unknown, request, response, _next) => {
    const status = statusOf(error);
    if (status === 500) log(`error: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`);
    if (response.headersSent) {
      response.destroy();
      return;
    }
    if (isSitePath(request.path)) sendStatus(request, response, status);
    else sendControlApiError(request, response, status, messageOf(error, status));
  };
}

function statusOf(error: unknown): number {
  const status = error instanceof Error && 'status' in error ? error.status : undefined;
  return typeof status === 'number' && status >= 400 && status <= 499 ? status : 500;
}

function messageOf(error: unknown, status: number): string {
  if (error instanceof ControlApiError) return error.message;
  if (status === 413) return 'the body is too large';
  return status === 500 ? 'internal error' : 'the request could not be read';
}
