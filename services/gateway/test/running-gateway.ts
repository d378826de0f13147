import { createServer, type IncomingHttpHeaders, type RequestListener } from 'node:http';
import { createServer as createTcpServer, type AddressInfo, type Server } from 'node:net';
import type { MessageBus } from '@lobbystats/message-bus';
import {
  createHealth,
  createHttpService,
  createMetrics,
  silentLogger,
  type Route,
  type Sessions,
} from '@lobbystats/service-kit';
import { cleanUp, memoryBus, startService, type Scope } from '@lobbystats/test-kit';
import { createGateway, readGatewayConfig, type GatewayOverrides } from '../src/service.ts';
import { ask, type Answer, type AskOptions } from './ask.ts';
import { catalogRoutes, network, seriesRoutes, type Network } from './network.ts';
import { reputationRoutes, sessions as sessionsOfTests, userRoutes } from './people-answers.ts';

/** Something that stands for an owner, and what it was asked. */
export interface Owner {
  readonly url: string;
  /** In the order in which it came. */
  readonly seen: { method: string; url: string; headers: IncomingHttpHeaders }[];
  stop(): Promise<void>;
}

/** An owner as services are: operations on Express. Its answers are held to the contracts. */
export async function startOwner(
  routes: Route[],
  scope: Scope = 'test',
  port = 0,
  sessions: Sessions = sessionsOfTests,
): Promise<Owner> {
  const seen: Owner['seen'] = [];
  const service = createHttpService({
    name: 'owner',
    host: '127.0.0.1',
    port,
    logger: silentLogger(),
    metrics: createMetrics('owner'),
    health: createHealth({ service: 'owner', details: {} }),
    routes,
    sessions,
    checkAnswers: true,
    stopTimeoutMs: 0,
    configure: (app) => {
      app.use((req, _res, next) => {
        seen.push({ method: req.method, url: req.originalUrl, headers: req.headers });
        next();
      });
    },
  });
  cleanUp(() => service.stop(), scope);
  const { url } = await service.start();
  return { url, seen, stop: () => service.stop() };
}

/** An owner that answers whatever it is asked in one way. */
export async function startBadOwner(listener: RequestListener, scope: Scope = 'test'): Promise<string> {
  const server = createServer(listener);
  cleanUp(() => {
    server.close();
    server.closeAllConnections();
  }, scope);
  return listen(server);
}

/** Where nobody ever listens. */
export const NOWHERE = 'http://127.0.0.1:1';

/** Where a test listens later: the port was free a moment ago. */
export async function freeUrl(): Promise<string> {
  const server = createTcpServer();
  const url = await listen(server);
  await new Promise((resolve) => server.close(resolve));
  return url;
}

export interface GatewayOptions {
  /** What the owners know. */
  known?: Network;
  env?: Record<string, string>;
  overrides?: GatewayOverrides;
  scope?: Scope;
}

/** A gateway as a test talks to it, with owners of its own, unless `env` names others. */
export interface RunningGateway {
  readonly url: string;
  readonly bus: MessageBus;
  readonly known: Network;
  readonly series: Owner;
  readonly catalog: Owner;
  readonly users: Owner;
  readonly reputation: Owner;
  ask(path: string, options?: AskOptions): Promise<Answer>;
  stop(): Promise<void>;
}

export async function runGateway(options: GatewayOptions = {}): Promise<RunningGateway> {
  const { known = network(), env = {}, overrides = {}, scope = 'test' } = options;
  const [series, catalog, users, reputation] = await Promise.all([
    startOwner(seriesRoutes(known), scope),
    startOwner(catalogRoutes(known), scope),
    startOwner(userRoutes(known), scope),
    startOwner(reputationRoutes(known), scope),
  ]);
  const bus = overrides.bus ?? (await memoryBus('simulated', scope));
  const config = readGatewayConfig({
    PORT: '0',
    METRICS_PORT: '0',
    STOP_TIMEOUT_MS: '2000',
    // What owners are asked, and answer, is seen best where nothing is kept.
    CACHE_BYTES: '0',
    SERIES_API_URL: series.url,
    CATALOG_API_URL: catalog.url,
    USER_API_URL: users.url,
    REPUTATION_API_URL: reputation.url,
    ...env,
  });
  const gateway = await createGateway(config, { logger: silentLogger(), ...overrides, bus });
  const url = await startService(gateway, scope);
  return {
    url,
    bus,
    known,
    series,
    catalog,
    users,
    reputation,
    ask: (path, asked) => ask(url, path, asked),
    stop: () => gateway.stop(),
  };
}

async function listen(server: Server): Promise<string> {
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}
