import { createCatalogApi, readCatalogApiConfig } from '@lobbystats/catalog-api';
import { createCollector, readCollectorConfig, type BackfillProgress } from '@lobbystats/collector';
import { createGateway, readGatewayConfig } from '@lobbystats/gateway';
import { openBus } from '@lobbystats/message-bus';
import { createReputationApi, readReputationApiConfig } from '@lobbystats/reputation-api';
import { createSeriesApi, readSeriesApiConfig } from '@lobbystats/series-api';
import {
  busHooks,
  createLogger,
  createMetrics,
  lifecycle,
  startMetrics,
  type ComposedService,
  type Env,
  type Logger,
  type Metrics,
  type Service,
  type Stop,
} from '@lobbystats/service-kit';
import { createUserApi, readUserApiConfig } from '@lobbystats/user-api';
import { databaseEnv, type StandaloneConfig } from './config.ts';
import { erasureKey } from './erasure-key.ts';
import { restrictDataDirectory } from './restrict-data-directory.ts';
import { startNetwork } from './start-network.ts';

export interface SystemOverrides {
  clock?: () => number;
  write?: (line: string) => void;
  onBackfillProgress?: (progress: BackfillProgress) => void;
}

/** Only the gateway sends requests here, and it has stopped by then. */
const SERVICE_STOP_TIMEOUT_MS = 500;

/** In milliseconds. */
export function stopTimeoutOf({ STOP_TIMEOUT_MS }: StandaloneConfig): number {
  return STOP_TIMEOUT_MS + 6 * SERVICE_STOP_TIMEOUT_MS;
}

/** The simulated network, the bus and every service, each on its own port. */
export function createSystem(config: StandaloneConfig, overrides: SystemOverrides = {}): ComposedService {
  const shells = new Map<string, { logger: Logger; metrics: Metrics }>();
  const shell = (service: string) => {
    const { LOG_LEVEL: level, LOG_FORMAT: format } = config;
    const { write } = overrides;
    const logger = createLogger({ service, level, format, ...(write && { write }) });
    const telemetry = { logger, metrics: createMetrics(service) };
    shells.set(service, telemetry);
    return telemetry;
  };
  const { logger, metrics } = shell('standalone');
  let url = '';
  const begin = async (onStarted: (stop: Stop) => void) => {
    const { clock, onBackfillProgress } = overrides;
    restrictDataDirectory(config.DATA_DIR, logger);
    const network = await startNetwork(config, { clock, logger, onStarted });
    const timing = clock === undefined ? {} : { clock };
    const hooks = busHooks(logger, metrics);
    const bus = await openBus({ url: String(config.env['BUS_URL']), origin: config.NETWORK_ORIGIN, hooks, ...timing });
    onStarted(() => bus.close());

    const run = async (service: Service): Promise<string> => {
      onStarted(() => service.stop());
      await service.start();
      return service.url();
    };
    const common = (service: string) => ({ bus, ...shell(service), ...timing });
    const env: Env = {
      ...config.env,
      ...network,
      HOST: '127.0.0.1',
      PORT: '0',
      METRICS_PORT: '0',
      STOP_TIMEOUT_MS: String(SERVICE_STOP_TIMEOUT_MS),
      ...erasureKey(config.env, config.DATA_DIR),
    };
    const catalogConfig = readCatalogApiConfig(databaseEnv('catalog', env, config.DATA_DIR));
    const CATALOG_API_URL = await run(await createCatalogApi(catalogConfig, common('catalog-api')));
    const SERIES_API_URL = await run(await createSeriesApi(readSeriesApiConfig(env), common('series-api')));
    const userConfig = readUserApiConfig(databaseEnv('users', env, config.DATA_DIR));
    const USER_API_URL = await run(await createUserApi(userConfig, common('user-api')));
    const reputationConfig = readReputationApiConfig(databaseEnv('reputation', env, config.DATA_DIR));
    const REPUTATION_API_URL = await run(await createReputationApi(reputationConfig, common('reputation-api')));
    const { HOST, PORT, STOP_TIMEOUT_MS } = config;
    const upstreamUrls = { CATALOG_API_URL, SERIES_API_URL, USER_API_URL, REPUTATION_API_URL };
    const gatewayConfig = { ...readGatewayConfig({ ...env, ...upstreamUrls }), HOST, PORT, STOP_TIMEOUT_MS };
    url = await run(await createGateway(gatewayConfig, common('gateway')));
    const collectorConfig = readCollectorConfig(databaseEnv('collector', env, config.DATA_DIR));
    const progressHook = onBackfillProgress === undefined ? {} : { onFillProgress: onBackfillProgress };
    await run(await createCollector(collectorConfig, { ...common('collector'), ...progressHook }));

    await startMetrics({ config, metrics: [...shells.values()].map((one) => one.metrics), logger, started: onStarted });
  };
  return { name: 'standalone', logger, url: () => url, ...lifecycle({ logger, begin }) };
}
