import { baseSettings, readConfig, setting, trustedProxiesSetting, type Env } from '@lobbystats/service-kit';
import { z } from 'zod';

const HTTP = ['http:', 'https:'];

const gatewaySettings = z.object({
  ...baseSettings(8080),
  /** Several: instances with an InfluxDB each, of which one that is complete serves. */
  SERIES_API_URL: setting.urls({ protocols: HTTP, default: 'http://127.0.0.1:8081' }),
  CATALOG_API_URL: setting.url({ protocols: HTTP, default: 'http://127.0.0.1:8082' }),
  USER_API_URL: setting.url({ protocols: HTTP, default: 'http://127.0.0.1:8083' }),
  REPUTATION_API_URL: setting.url({ protocols: HTTP, default: 'http://127.0.0.1:8084' }),
  /** Upstreams take up to 4.5 s with a session: a shorter timeout would report completed writes as failed. */
  UPSTREAM_TIMEOUT_MS: setting.integer({ min: 100, max: 60_000, default: 5000 }),
  CACHE_BYTES: setting.integer({ min: 0, max: 16 * 1024 ** 3, default: 64 * 1024 ** 2 }),
  PUBLIC_URL: setting.url({ protocols: HTTP, default: 'http://127.0.0.1:8080' }),
  /** Contact for reports of vulnerabilities, in /.well-known/security.txt: a URI. */
  SECURITY_CONTACT: setting.url({ protocols: ['mailto:', 'https:', 'tel:'] }).optional(),
  /** A directory that nginx shares: the gateway listens on a Unix socket there, beside its port. */
  SOCKET_DIRECTORY: setting.text().optional(),
  TRUSTED_PROXIES: trustedProxiesSetting,
  AUTH_URL: setting.url({ protocols: HTTP, default: 'http://127.0.0.1:8090' }),
  AUTH_PUBLIC_URL: setting.url({ protocols: HTTP }).optional(),
});

export type GatewayConfig = Readonly<z.output<typeof gatewaySettings> & { AUTH_PUBLIC_URL: string }>;

/** @throws ConfigError that names every fault */
export function readGatewayConfig(env: Env): GatewayConfig {
  const settings = readConfig(gatewaySettings, env);
  const { AUTH_URL, AUTH_PUBLIC_URL = AUTH_URL } = settings;
  return Object.freeze({ ...settings, AUTH_PUBLIC_URL });
}
