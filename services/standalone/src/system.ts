import { join } from 'node:path';
import { createCatalogApi, readCatalogApiConfig } from '@lobbystats/catalog-api';
import { createCollector, readCollectorConfig, type FillProgress } from '@lobbystats/collector';
import { createGateway, readGatewayConfig } from '@lobbystats/gateway';
import { openBus, type MessageBus } from '@lobbystats/message-bus';
import { createSeriesApi, readSeriesApiConfig } from '@lobbystats/series-api';
import {
  asStartError,
  busHooks,
  createLogger,
  createMetrics,
  serveMetrics,
  type Env,
  type Logger,
  type Metrics,
  type Service,
} from '@lobbystats/service-kit';
import { createSimulator } from '@lobbystats/simulator';
import type { StandaloneConfig } from './config.ts';

export interface SystemOverrides {
  /** Epoch milliseconds. */
  clock?: () => number;
  /** Where log lines go; default: standard output. */
  write?: (line: string) => void;
  /** Told of each step of the first start's fill. */
  onFillProgress?: (progress: FillProgress) => void;
}

/** What is stopped, in the reverse order of its start. */
interface Part {
  stop(): Promise<void>;
}

/** The whole system in one process: the simulated network, the bus, and every service on a port of its own. */
export function createSystem(config: StandaloneConfig, overrides: SystemOverrides = {}): Service {
  const running: Part[] = [];
  let gatewayUrl = '';
  const start = async () => {
    gatewayUrl = await startParts(config, overrides, (part) => running.unshift(part));
  };
  const stop = async () => {
    for (const part of running.splice(0)) await part.stop();
  };
  return {
    name: 'standalone',
    url: () => gatewayUrl,
    // What has started is stopped when what comes after it fails.
    start: () => start().catch((error: unknown) => stop().then(() => Promise.reject(error as Error))),
    stop,
  };
}

async function startParts(
  config: StandaloneConfig,
  { clock, write, onFillProgress }: SystemOverrides,
  started: (part: Part) => void,
): Promise<string> {
  const allMetrics: Metrics[] = [];
  const shell = (service: string): { logger: Logger; metrics: Metrics } => {
    const metrics = createMetrics(service);
    allMetrics.push(metrics);
    const logger = createLogger({
      service,
      level: config.LOG_LEVEL,
      format: config.LOG_FORMAT,
      ...(write && { write }),
    });
    return { logger, metrics };
  };
  const own = shell('standalone');

  const network = await startNetwork(config, clock, own.logger, started);
  const bus = await openBus({
    url: String(config.env['BUS_URL']),
    origin: config.NETWORK_ORIGIN,
    hooks: busHooks(own.logger, own.metrics),
    ...(clock && { clock }),
  });
  started({ stop: () => bus.close() });

  const common = (service: string): { bus: MessageBus; logger: Logger; metrics: Metrics; clock?: () => number } => ({
    bus,
    ...shell(service),
    ...(clock && { clock }),
  });
  const run = async (service: Service): Promise<string> => {
    started(service);
    await service.start();
    return service.url();
  };
  const inside: Env = { ...config.env, ...network, HOST: '127.0.0.1', PORT: '0', METRICS_PORT: '0' };
  const database = (name: string) => ({ DATABASE_URL: `sqlite:${join(config.DATA_DIR, `${name}.sqlite`)}` });

  const catalog = readCatalogApiConfig({ ...inside, ...database('catalog') });
  const CATALOG_API_URL = await run(await createCatalogApi(catalog, common('catalog-api')));
  const SERIES_API_URL = await run(await createSeriesApi(readSeriesApiConfig(inside), common('series-api')));
  const outside = { ...inside, CATALOG_API_URL, SERIES_API_URL, HOST: config.HOST, PORT: String(config.PORT) };
  const gatewayUrl = await run(await createGateway(readGatewayConfig(outside), common('gateway')));
  const collector = readCollectorConfig({ ...inside, ...database('collector') });
  await run(await createCollector(collector, { ...common('collector'), ...(onFillProgress && { onFillProgress }) }));

  if (config.METRICS_PORT !== 0) {
    const { logger } = own;
    const server = await serveMetrics({ host: config.HOST, port: config.METRICS_PORT, metrics: allMetrics, logger });
    started({ stop: () => server.close() });
  }
  return gatewayUrl;
}

/** Where the network is: the simulator, started here, unless the settings name a real one. */
async function startNetwork(
  config: StandaloneConfig,
  clock: (() => number) | undefined,
  logger: Logger,
  started: (part: Part) => void,
): Promise<Env> {
  if (!config.bringsSimulator) {
    return { NETWORK_URL: config.NETWORK_URL, NETWORK_PUBLIC_URL: config.NETWORK_PUBLIC_URL };
  }
  const simulator = createSimulator({ port: config.SIMULATOR_PORT, ...(clock && { clock }) });
  started(simulator);
  const { url } = await simulator.start().catch((error: unknown) => {
    throw asStartError(error, { host: '127.0.0.1', port: config.SIMULATOR_PORT, setting: 'SIMULATOR_PORT' });
  });
  logger.info('the network is simulated: everything shown is made up', { url });
  return { NETWORK_URL: url, NETWORK_PUBLIC_URL: config.NETWORK_PUBLIC_URL || url };
}
