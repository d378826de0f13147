import { createServer, type IncomingHttpHeaders, type RequestListener } from 'node:http';
import { createServer as createTcpServer, type AddressInfo, type Server } from 'node:net';
import type { MessageBus } from '@lobbystats/service-kit/bus';
import {
  createHealth,
  createHttpService,
  createMetrics,
  silentLogger,
  type Route,
  type Sessions,
  type OverridesOf,
} from '@lobbystats/service-kit';
import { cleanUp, findOperation, memoryBus, startService, type Scope } from '@lobbystats/test-kit';
import { sendRequest, type TestResponse, type TestRequestOptions } from '@lobbystats/test-kit/send-request';
import { gatewayService } from '../src/service.ts';
import { catalogRoutes, network, seriesRoutes, type Network } from './network.ts';
import { reputationRoutes } from './reputation-responses.ts';
import { sessions as sessionsOfTests, userRoutes } from './user-responses.ts';

/** A stub upstream with the requests it received. */
export interface StubUpstream {
  readonly url: string;
  /** In order of arrival. */
  readonly requests: { method: string; url: string; headers: IncomingHttpHeaders }[];
  stop(): Promise<void>;
}

/**
 * Starts an upstream with the given routes. Its responses are checked against the contracts; a request for an operation without a
 * route fails the test.
 */
export async function startStubUpstream(
  routes: Route[],
  scope: Scope = 'test',
  port = 0,
  sessions: Sessions = sessionsOfTests,
): Promise<StubUpstream> {
  const requests: StubUpstream['requests'] = [];
  const routed = new Set(routes.map(({ operation }) => operation.id));
  const missing = new Set<string>();
  const service = createHttpService({
    name: 'owner',
    host: '127.0.0.1',
    port,
    logger: silentLogger(),
    metrics: createMetrics('owner'),
    health: createHealth({ service: 'owner' }),
    routes,
    sessions,
    validateResponses: true,
    stopTimeoutMs: 0,
    configure: (app) => {
      app.use((req, _res, next) => {
        requests.push({ method: req.method, url: req.originalUrl, headers: req.headers });
        const id = findOperation(req.method, req.originalUrl)?.id;
        if (id !== undefined && !routed.has(id)) missing.add(id);
        next();
      });
    },
  });
  cleanUp(async () => {
    await service.stop();
    if (missing.size > 0) throw new Error(`A stub upstream has no route of ${[...missing].join(', ')}`);
  }, scope);
  const { url } = await service.start();
  return { url, requests, stop: () => service.stop() };
}

/** Starts an upstream that handles every request with one listener. */
export async function startRawUpstream(listener: RequestListener, scope: Scope = 'test'): Promise<string> {
  const server = createServer(listener);
  cleanUp(() => {
    server.close();
    server.closeAllConnections();
  }, scope);
  return listen(server);
}

/** An address without a listener. */
export const UNREACHABLE_URL = 'http://127.0.0.1:1';

/** A URL with a currently free port, for a later listener. */
export async function freeUrl(): Promise<string> {
  const server = createTcpServer();
  const url = await listen(server);
  await new Promise((resolve) => server.close(resolve));
  return url;
}

export interface GatewayOptions {
  /** Data of the stub upstreams. */
  network?: Network;
  env?: Record<string, string>;
  upstreamTimeoutMs?: number;
  overrides?: OverridesOf<typeof gatewayService>;
  scope?: Scope;
}

/** A gateway with its own stub upstreams, unless `env` names others. */
export interface RunningGateway {
  readonly url: string;
  readonly bus: MessageBus;
  readonly network: Network;
  readonly series: StubUpstream;
  readonly catalog: StubUpstream;
  readonly users: StubUpstream;
  readonly reputation: StubUpstream;
  request(path: string, options?: TestRequestOptions): Promise<TestResponse>;
  stop(): Promise<void>;
}

/** Enough for a busy machine, and less than the 30 s after which the server closes a stalled response. */
const UPSTREAM_TIMEOUT_MS = 20_000;

/** Starts a gateway whose clock stands at the newest slot of its network. */
export async function runGateway(options: GatewayOptions = {}): Promise<RunningGateway> {
  const { network: known = network(), env = {}, upstreamTimeoutMs = UPSTREAM_TIMEOUT_MS } = options;
  const { overrides = {}, scope = 'test' } = options;
  const [series, catalog, users, reputation] = await Promise.all([
    startStubUpstream(seriesRoutes(known), scope),
    startStubUpstream(catalogRoutes(known), scope),
    startStubUpstream(userRoutes(known), scope),
    startStubUpstream(reputationRoutes(known), scope),
  ]);
  const bus = overrides.bus ?? (await memoryBus('simulated', scope));
  const config = gatewayService.readConfig({
    PORT: '0',
    METRICS_PORT: '0',
    // Without a cache every request reaches its upstream.
    CACHE_BYTES: '0',
    SERIES_API_URL: series.url,
    CATALOG_API_URL: catalog.url,
    USER_API_URL: users.url,
    REPUTATION_API_URL: reputation.url,
    ...env,
  });
  const gateway = await gatewayService.create(
    { ...config, upstreamTimeoutMs },
    {
      clock: () => known.newest * 1000,
      logger: silentLogger(),
      stopTimeoutMs: 2000,
      ...overrides,
      bus,
    },
  );
  const url = await startService(gateway, scope);
  return {
    url,
    bus,
    network: known,
    series,
    catalog,
    users,
    reputation,
    request: (path, asked) => sendRequest(url, path, asked),
    stop: () => gateway.stop(),
  };
}

async function listen(server: Server): Promise<string> {
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}
