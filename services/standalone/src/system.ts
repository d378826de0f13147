import { catalogApi } from '@lobbystats/catalog-api';
import { collectorService, type BackfillProgress } from '@lobbystats/collector';
import { gatewayService } from '@lobbystats/gateway';
import { openBus, type MessageBus } from '@lobbystats/service-kit/bus';
import { reputationApi } from '@lobbystats/reputation-api';
import { seriesApi } from '@lobbystats/series-api';
import {
  busHooks,
  createLogger,
  createMetrics,
  lifecycle,
  startMetrics,
  StartError,
  STOP_TIMEOUT_MS,
  type ComposedService,
  type Env,
  type Logger,
  type Metrics,
  type Stop,
} from '@lobbystats/service-kit';
import { userApi } from '@lobbystats/user-api';
import { serviceEnv, type StandaloneConfig } from './config.ts';
import { erasureKey, restrictDataDirectory } from './data-directory.ts';
import { prepareDataDirectory } from './prepare-data-directory.ts';
import { startNetwork } from './start-network.ts';

export interface SystemOverrides {
  clock?: () => number;
  write?: (line: string) => void;
  onBackfillProgress?: (progress: BackfillProgress) => void;
}

/** Only the gateway sends requests here, and it has stopped by then. */
const SERVICE_STOP_TIMEOUT_MS = 500;

/** In milliseconds. */
export const SYSTEM_STOP_TIMEOUT_MS = STOP_TIMEOUT_MS + 6 * SERVICE_STOP_TIMEOUT_MS;

interface ServiceShell {
  bus: MessageBus;
  logger: Logger;
  metrics: Metrics;
  stopTimeoutMs: number;
}

interface Api<Config> {
  readonly name: string;
  readConfig(env: Env): Config;
  create(config: Config, shell: ServiceShell): Promise<ComposedService>;
}

/** The simulated network, the bus and every service, each on its own port. */
export function createSystem(config: StandaloneConfig, overrides: SystemOverrides = {}): ComposedService {
  const shells = new Map<string, { logger: Logger; metrics: Metrics }>();
  const shell = (service: string) => {
    const { write } = overrides;
    const logger = createLogger({ service, level: config.LOG_LEVEL, ...(write && { write }) });
    const telemetry = { logger, metrics: createMetrics(service) };
    shells.set(service, telemetry);
    return telemetry;
  };
  const { logger, metrics } = shell('standalone');
  let url = '';
  const begin = async (onStarted: (stop: Stop) => void) => {
    const { clock, onBackfillProgress } = overrides;
    prepareDataDirectory(config.DATA_DIR);
    restrictDataDirectory(config.DATA_DIR, logger);
    const network = await startNetwork(config, { clock, logger, onStarted });
    const timing = clock === undefined ? {} : { clock };
    const hooks = busHooks(logger, metrics);
    const bus = await openBus({ url: String(config.env['BUS_URL']), origin: config.NETWORK_ORIGIN, hooks, ...timing });
    onStarted(() => bus.close());

    const run = async (service: ComposedService): Promise<string> => {
      onStarted(() => service.stop());
      await service.start();
      return service.url();
    };
    const common = (service: string): ServiceShell => ({
      bus,
      ...shell(service),
      ...timing,
      stopTimeoutMs: service === 'gateway' ? STOP_TIMEOUT_MS : SERVICE_STOP_TIMEOUT_MS,
    });
    const env: Env = {
      ...config.env,
      ...network,
      HOST: '127.0.0.1',
      PORT: '0',
      METRICS_PORT: '0',
      ...erasureKey(config.env, config.DATA_DIR),
    };
    const runApi = async <Config>(api: Api<Config>): Promise<string> =>
      run(await api.create(api.readConfig(serviceEnv(api.name, env, config.DATA_DIR)), common(api.name)));
    const upstreamUrls = {
      CATALOG_API_URL: await runApi(catalogApi),
      SERIES_API_URL: await runApi(seriesApi),
      USER_API_URL: await runApi(userApi),
      REPUTATION_API_URL: await runApi(reputationApi),
    };
    const { HOST, PORT } = config;
    const gatewayConfig = { ...gatewayService.readConfig({ ...env, ...upstreamUrls }), HOST, PORT };
    url = await run(await gatewayService.create(gatewayConfig, common('gateway')));
    const collectorConfig = collectorService.readConfig(serviceEnv('collector', env, config.DATA_DIR));
    const collector = { ...common('collector'), onFillProgress: onBackfillProgress };
    await run(await collectorService.create(collectorConfig, collector));

    const all = [...shells.values()].map((one) => one.metrics);
    // 9464 is the default of many exporters.
    await startMetrics({ config, metrics: all, logger, started: onStarted }).catch((error: unknown) => {
      if (!(error instanceof StartError)) throw error;
      logger.warn(`metrics are not served: ${error.message}, or to 0`);
    });
  };
  return { name: 'standalone', logger, url: () => url, ...lifecycle({ logger, begin }) };
}
