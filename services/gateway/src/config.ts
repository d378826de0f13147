import { baseSettings, readConfig, setting, trustedProxiesSetting, type Env } from '@lobbystats/service-kit';
import { z } from 'zod';

const HTTP = ['http:', 'https:'];

/** Printed in .env.example. */
export const gatewaySettings = z.object({
  ...baseSettings(8080),
  SERIES_API_URL: setting.url({ protocols: HTTP, default: 'http://127.0.0.1:8081' }).meta({
    description: 'The gateway’s upstreams.',
    commented: true,
  }),
  CATALOG_API_URL: setting.url({ protocols: HTTP, default: 'http://127.0.0.1:8082' }).meta({ commented: true }),
  USER_API_URL: setting.url({ protocols: HTTP, default: 'http://127.0.0.1:8083' }).meta({ commented: true }),
  REPUTATION_API_URL: setting.url({ protocols: HTTP, default: 'http://127.0.0.1:8084' }).meta({ commented: true }),
  CACHE_BYTES: setting
    .integer({ min: 0, max: 16 * 1024 ** 3, default: 64 * 1024 ** 2 })
    .meta({ description: 'Memory of the gateway’s response cache in bytes; 0 disables it.' }),
  PUBLIC_URL: setting
    .url({ protocols: HTTP, default: 'http://127.0.0.1:8080' })
    .refine((url) => isOrigin(new URL(url)), 'must have no path: the site does not work below one')
    .meta({
      description: 'Public URL of the site, without a path; its host is part of the UIDs of calendar events.',
      commented: true,
    }),
  SECURITY_CONTACT: setting
    .url({ protocols: ['mailto:', 'https:', 'tel:'] })
    .optional()
    .meta({
      description:
        'Contact for reports of vulnerabilities (a mailto:, https: or tel: URI), for which there is a /.well-known/security.txt.',
    }),
  SOCKET_DIRECTORY: setting.text().optional().meta({
    description:
      'Directory shared with a proxy on this machine: beside its port, a gateway listens on a Unix socket there and trusts X-Forwarded-For of its requests.',
  }),
  TRUSTED_PROXIES: trustedProxiesSetting.meta({
    description:
      'Trusted proxies in front of the gateway, as addresses and subnets (10.0.0.7,172.16.0.0/12), whose X-Forwarded-For names the client.',
  }),
  AUTH_URL: setting.url({ protocols: HTTP, default: 'http://127.0.0.1:8090' }).meta({
    description:
      'URL of the auth service that verifies session keys; by default the simulator, and with a real network none, so that no user can sign in.',
    commented: true,
  }),
  AUTH_PUBLIC_URL: setting
    .url({ protocols: HTTP })
    .optional()
    .meta({ description: 'Its URL for browsers, by default AUTH_URL.' }),
});

function isOrigin({ pathname, search, hash }: URL): boolean {
  return pathname + search + hash === '/';
}

/** For responses of the upstreams, which take up to 4.5 s with a session: a shorter one reports completed writes as failed. */
const UPSTREAM_TIMEOUT_MS = 5000;

export type GatewayConfig = Readonly<
  z.output<typeof gatewaySettings> & { AUTH_PUBLIC_URL: string; upstreamTimeoutMs: number }
>;

/** @throws ConfigError that names every fault */
export function readGatewayConfig(env: Env): GatewayConfig {
  const settings = readConfig(gatewaySettings, env);
  const { AUTH_URL, AUTH_PUBLIC_URL = AUTH_URL } = settings;
  return Object.freeze({ ...settings, AUTH_PUBLIC_URL, upstreamTimeoutMs: UPSTREAM_TIMEOUT_MS });
}
