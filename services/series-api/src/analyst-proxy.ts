import { baseSettings, defineService, readConfig, setting, type Env } from '@lobbystats/service-kit';
import { z } from 'zod';
import { QueryScheduler } from './analysts/query-scheduler.ts';
import { proxyQueries } from './analysts/proxy-query.http.ts';
import { pingInflux } from './analysts/influx-upstream.http.ts';
import { queryMetrics } from './analysts/query-counts.node.ts';

const { NETWORK_ORIGIN, BUS_URL, ...serverSettings } = baseSettings(8087);

/** Printed in .env.example. */
export const settings = z.object({
  ...serverSettings,
  INFLUXDB_URL: setting.url({ protocols: ['http:', 'https:'], default: 'http://127.0.0.1:8086' }).meta({
    description: 'InfluxDB of the init job, and of the analyst-proxy.',
    commented: true,
  }),
  ANALYSTS_SHARE: setting.integer({ min: 1, max: 100, default: 10 }).meta({
    description:
      'Share of the time in which an analyst’s query may run, in percent. Analysts’ queries slow all other queries to InfluxDB.',
  }),
});

/** How long a query may wait in the queue, and how long it may run: together less than nginx waits (infra/nginx/analysts.conf). */
const LIMITS = { waitMs: 30_000, timeoutMs: 60_000 };
/** A client's credit after a pause, so that occasional queries don't wait. */
const CLIENT_BURST_MS = 5000;
const MAX_QUEUE_LENGTH = 64;

/** A fair, time-limited proxy between analysts and InfluxDB. */
export const analystProxy = defineService({
  name: 'analyst-proxy',
  readConfig: (env: Env) => ({ ...readConfig(settings, env), ...LIMITS }),
  parts: {},
  compose: ({ config, metrics }) => {
    const { INFLUXDB_URL: influxUrl, waitMs, timeoutMs } = config;
    const scheduler = new QueryScheduler({
      share: config.ANALYSTS_SHARE / 100,
      // One query, however long, makes no other client wait for the share.
      burstMs: timeoutMs,
      clientBurstMs: CLIENT_BURST_MS,
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
