import {
  composeService,
  createHealth,
  createLogger,
  createMetrics,
  type ComposedService,
  type Logger,
} from '@lobbystats/service-kit';
import type { AnalystProxyConfig } from './config.ts';
import { QueryScheduler } from './domain/query-scheduler.ts';
import { proxyQueries } from './http/proxy-query.ts';
import { pingInflux } from './http/influx-upstream.ts';
import { queryMetrics } from './query-metrics.ts';

export { readAnalystProxyConfig, type AnalystProxyConfig } from './config.ts';

/** Credit after a pause, so that occasional queries don't wait. */
const BURST_MS = 2000;
const MAX_QUEUE_LENGTH = 64;

/** A fair, time-limited proxy between analysts and InfluxDB. */
export function createAnalystProxy(config: AnalystProxyConfig, overrides: { logger?: Logger } = {}): ComposedService {
  const { INFLUXDB_URL: influxUrl, QUERY_WAIT_MS: waitMs, QUERY_TIMEOUT_MS: timeoutMs } = config;
  const { LOG_LEVEL: level, LOG_FORMAT: format } = config;
  const logger = overrides.logger ?? createLogger({ service: 'analyst-proxy', level, format });
  const metrics = createMetrics('analyst-proxy');
  const scheduler = new QueryScheduler({
    share: config.ANALYSTS_SHARE / 100,
    burstMs: BURST_MS,
    now: () => performance.now(),
    waitMs,
    maxQueueLength: MAX_QUEUE_LENGTH,
  });
  const health = createHealth({ service: 'analyst-proxy', details: {} });
  health.dependency('influxdb', () => pingInflux(influxUrl));
  return composeService({
    name: 'analyst-proxy',
    config,
    logger,
    metrics,
    health,
    routes: [],
    configure: (app) => {
      app.use(proxyQueries({ influxUrl, scheduler, waitMs, timeoutMs, count: queryMetrics(metrics) }));
    },
    disposers: [],
    startComponents: () => Promise.resolve(),
  });
}
