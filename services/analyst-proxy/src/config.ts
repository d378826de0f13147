import { baseSettings, readConfig, setting, type Env } from '@lobbystats/service-kit';
import { z } from 'zod';

const { NETWORK_ORIGIN, BUS_URL, ...settings } = baseSettings(8087);

const analystProxySettings = z.object({
  ...settings,
  INFLUXDB_URL: setting.url({ protocols: ['http:', 'https:'], default: 'http://127.0.0.1:8086' }),
  ANALYSTS_SHARE: setting.integer({ min: 1, max: 100, default: 10 }),
  /** Milliseconds. */
  QUERY_WAIT_MS: setting.integer({ min: 0, max: 600_000, default: 30_000 }),
  QUERY_TIMEOUT_MS: setting.integer({ min: 100, max: 600_000, default: 60_000 }),
});

export type AnalystProxyConfig = Readonly<z.output<typeof analystProxySettings>>;

/** @throws ConfigError that names every fault */
export function readAnalystProxyConfig(env: Env): AnalystProxyConfig {
  return readConfig(analystProxySettings, env);
}
