import { baseSettings, readConfig, setting, type Env } from '@lobbystats/service-kit';
import { z } from 'zod';

const httpUrl = (fallback: string) => setting.url({ protocols: ['http:', 'https:'], default: fallback });

const gatewaySettings = z.object({
  ...baseSettings(8080),
  /** Where series-api listens. */
  SERIES_API_URL: httpUrl('http://127.0.0.1:8081'),
  /** Where catalog-api listens. */
  CATALOG_API_URL: httpUrl('http://127.0.0.1:8082'),
  /** How long an owner may take before the caller is told that it is unavailable. */
  OWNER_TIMEOUT_MS: setting.integer({ min: 100, max: 60_000, default: 5000 }),
  /** Where a browser finds the network's icons. */
  NETWORK_PUBLIC_URL: httpUrl('http://127.0.0.1:8090'),
});

export type GatewayConfig = Readonly<z.output<typeof gatewaySettings>>;

/** @throws ConfigError that names every fault */
export function readGatewayConfig(env: Env): GatewayConfig {
  return readConfig(gatewaySettings, env);
}
