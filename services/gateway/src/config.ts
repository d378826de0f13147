import { baseSettings, readConfig, setting, trustedProxiesSetting, type Env } from '@lobbystats/service-kit';
import { z } from 'zod';

const HTTP = ['http:', 'https:'];

const gatewaySettings = z.object({
  ...baseSettings(8080),
  /** Where series-api listens. */
  SERIES_API_URL: setting.url({ protocols: HTTP, default: 'http://127.0.0.1:8081' }),
  /** Where catalog-api listens. */
  CATALOG_API_URL: setting.url({ protocols: HTTP, default: 'http://127.0.0.1:8082' }),
  /** Where user-api listens. */
  USER_API_URL: setting.url({ protocols: HTTP, default: 'http://127.0.0.1:8083' }),
  /** Where reputation-api listens. */
  REPUTATION_API_URL: setting.url({ protocols: HTTP, default: 'http://127.0.0.1:8084' }),
  /**
   * How long an owner may take to answer before the caller is told that it is unavailable. Owners take 4.5 s at most with a
   * session: less than that would call writes failed that are made, and hide that it was Discord which failed.
   */
  OWNER_TIMEOUT_MS: setting.integer({ min: 100, max: 60_000, default: 5000 }),
  /** Memory for kept answers, in bytes; 0: none is kept. */
  CACHE_BYTES: setting.integer({ min: 0, max: 16 * 1024 ** 3, default: 128 * 1024 ** 2 }),
  /** Where the public reaches the gateway: the OpenAPI document names it. */
  PUBLIC_URL: setting.url({ protocols: HTTP, default: 'http://127.0.0.1:8080' }),
  /** A directory that nginx shares: the gateway listens on a Unix socket there, beside its port. */
  SOCKET_DIRECTORY: setting.text().optional(),
  /** Whose word on a caller's address the log believes. */
  TRUSTED_PROXIES: trustedProxiesSetting,
  /** Where the network's site is. */
  NETWORK_URL: setting.url({ protocols: HTTP, default: 'http://127.0.0.1:8090' }),
  /** Where a browser finds it, and its icons, if elsewhere. */
  NETWORK_PUBLIC_URL: setting.url({ protocols: HTTP }).optional(),
  /** Where the auth service is. */
  AUTH_URL: setting.url({ protocols: HTTP, default: 'http://127.0.0.1:8090' }),
  /** Where a browser finds it, if elsewhere. */
  AUTH_PUBLIC_URL: setting.url({ protocols: HTTP }).optional(),
});

export type GatewayConfig = Readonly<
  z.output<typeof gatewaySettings> & { NETWORK_PUBLIC_URL: string; AUTH_PUBLIC_URL: string }
>;

/** @throws ConfigError that names every fault */
export function readGatewayConfig(env: Env): GatewayConfig {
  const settings = readConfig(gatewaySettings, env);
  const { NETWORK_URL, NETWORK_PUBLIC_URL = NETWORK_URL, AUTH_URL, AUTH_PUBLIC_URL = AUTH_URL } = settings;
  return Object.freeze({ ...settings, NETWORK_PUBLIC_URL, AUTH_PUBLIC_URL });
}
