import { baseSettings, defineService, readConfig, setting, type Env } from '@lobbystats/service-kit';
import { z } from 'zod';
import { QueryScheduler } from './domain/query-scheduler.ts';
import { proxyQueries } from './http/proxy-query.ts';
import { pingInflux } from './http/influx-upstream.ts';
import { queryMetrics } from './query-metrics.ts';

const { NETWORK_ORIGIN, BUS_URL, ...serverSettings } = baseSettings(8087);

const settings = z.object({
  ...serverSettings,
  INFLUXDB_URL: setting.url({ protocols: ['http:', 'https:'], default: 'http://127.0.0.1:8086' }),
  ANALYSTS_SHARE: setting.integer({ min: 1, max: 100, default: 10 }),
  /** Milliseconds. */
  QUERY_WAIT_MS: setting.integer({ min: 0, max: 600_000, default: 30_000 }),
  QUERY_TIMEOUT_MS: setting.integer({ min: 100, max: 600_000, default: 60_000 }),
});

/** Credit after a pause, so that occasional queries don't wait. */
const BURST_MS = 2000;
const MAX_QUEUE_LENGTH = 64;

/** A fair, time-limited proxy between analysts and InfluxDB. */
export const analystProxy = defineService({
  name: 'analyst-proxy',
  readConfig: (env: Env) => readConfig(settings, env),
  parts: {},
  compose: ({ config, metrics }) => {
    const { INFLUXDB_URL: influxUrl, QUERY_WAIT_MS: waitMs, QUERY_TIMEOUT_MS: timeoutMs } = config;
    const scheduler = new QueryScheduler({
      share: config.ANALYSTS_SHARE / 100,
      burstMs: BURST_MS,
      now: () => performance.now(),
      waitMs,
      maxQueueLength: MAX_QUEUE_LENGTH,
    });
    return {
      dependencies: { influxdb: () => pingInflux(influxUrl) },
      configure: (app) => {
        app.use(proxyQueries({ influxUrl, scheduler, waitMs, timeoutMs, count: queryMetrics(metrics) }));
      },
    };
  },
});
