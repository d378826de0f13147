import { readConfig, setting, type Env } from '@lobbystats/service-kit';
import { z } from 'zod';

const analystTokenSettings = z.object({
  INFLUXDB_URL: setting.url({ protocols: ['http', 'https'] }).optional(),
  INFLUXDB_PORT: setting.integer({ min: 1, max: 65_535, default: 8086 }),
  INFLUXDB_ADMIN_TOKEN: setting.secret(),
  INFLUXDB_ORG: setting.text('lobbystats'),
});

export interface AnalystTokenConfig {
  url: string;
  adminToken: string;
  org: string;
}

/** @throws ConfigError that lists every fault of the environment */
export function readAnalystTokenConfig(env: Env): AnalystTokenConfig {
  const config = readConfig(analystTokenSettings, env);
  return {
    url: config.INFLUXDB_URL ?? `http://127.0.0.1:${config.INFLUXDB_PORT}`,
    adminToken: config.INFLUXDB_ADMIN_TOKEN.reveal(),
    org: config.INFLUXDB_ORG,
  };
}
