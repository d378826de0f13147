import { join } from 'node:path';
import { catalogApi } from '@lobbystats/catalog-api';
import { collectorService } from '@lobbystats/collector';
import { gatewayService } from '@lobbystats/gateway';
import { reputationApi } from '@lobbystats/reputation-api';
import { seriesApi } from '@lobbystats/series-api';
import { baseSettings, ConfigError, readConfig, setting, urlOf, type Env } from '@lobbystats/service-kit';
import { userApi } from '@lobbystats/user-api';
import { z } from 'zod';
import { hasErasureKey } from './data-directory.ts';

/** Printed in .env.example. */
export const standaloneSettings = z.object({
  ...baseSettings(8080),
  SIMULATOR_PORT: setting
    .integer({ min: 0, max: 65_535, default: 8090 })
    .meta({ description: 'Port of the simulator, which starts too unless NETWORK_URL is set.' }),
  DATA_DIR: setting.text('./data').meta({
    description: 'Directory of all stored data and nothing else: it becomes readable by its owner only.',
  }),
});

export interface StandaloneConfig extends Readonly<z.output<typeof standaloneSettings>> {
  startsSimulator: boolean;
  /** Settings beside the services' own defaults. */
  env: Env;
}

/**
 * Reads all settings. Without `NETWORK_URL` the simulator starts as well.
 *
 * @throws ConfigError that names every fault
 */
export function readStandaloneConfig(env: Env): StandaloneConfig {
  const faults = new Set<string>();
  const collect = <Config>(read: () => Config): Config | undefined => {
    try {
      return read();
    } catch (error) {
      if (!(error instanceof ConfigError)) throw error;
      for (const fault of error.faults) faults.add(fault);
      return undefined;
    }
  };
  const startsSimulator = (env['NETWORK_URL'] ?? '') === '';
  const settings = collect(() => readConfig(standaloneSettings, env));
  if (startsSimulator && settings !== undefined && settings.NETWORK_ORIGIN !== 'simulated') {
    faults.add(`NETWORK_URL must be set for the network "${settings.NETWORK_ORIGIN}"`);
  }
  if (settings !== undefined && settings.PORT !== 0 && settings.PORT === settings.SIMULATOR_PORT && startsSimulator) {
    faults.add('PORT and SIMULATOR_PORT must differ');
  }
  const inside = {
    ...publicUrl(settings),
    ...channelHosts(settings?.HOST, env['PUBLIC_URL']),
    ...(!startsSimulator && NO_SIMULATOR),
    ...env,
    ...storeUrls(settings?.DATA_DIR ?? '.'),
  };
  // The key may not exist yet.
  const key = hasErasureKey(inside) ? {} : { ERASURE_KEY: PENDING_KEY };
  for (const service of [collectorService, seriesApi, gatewayService, catalogApi, reputationApi, userApi]) {
    collect(() => service.readConfig({ ...serviceEnv(service.name, inside, '.'), ...key }));
  }
  if (settings === undefined || faults.size > 0) throw new ConfigError([...faults]);
  return { ...settings, startsSimulator, env: inside };
}

/** A simulator that runs on this machine must not sign in users of a real network. */
const NO_SIMULATOR = { AUTH_URL: 'http://simulator.invalid', DISCORD_API_URL: 'http://simulator.invalid/discord' };

const PENDING_KEY = 'created at the first start';

/** Files in the data directory, by service. */
const DATABASES: Record<string, string> = {
  'catalog-api': 'catalog.sqlite',
  'reputation-api': 'reputation.sqlite',
  'user-api': 'users.sqlite',
  collector: 'collector.sqlite',
};

export function serviceEnv(service: string, env: Env, directory: string): Env {
  const file = DATABASES[service];
  return file === undefined ? env : { ...env, DATABASE_URL: `sqlite:${join(directory, file)}` };
}

function publicUrl(settings: { HOST: string; PORT: number } | undefined): Env {
  return settings === undefined ? {} : { PUBLIC_URL: urlOf(settings.HOST, settings.PORT) };
}

const LOOPBACK = ['127.0.0.1', 'localhost', '[::1]'];

/** Webhooks on this machine can be tried where nobody else uses the system: one behind a proxy has a public URL. */
function channelHosts(host: string | undefined, publicUrl = ''): Env {
  const hosts = [host === '::1' ? '[::1]' : host, ...(publicUrl === '' ? [] : [URL.parse(publicUrl)?.hostname])];
  const isOwn = hosts.every((one) => one !== undefined && LOOPBACK.includes(one));
  return isOwn ? { CHANNEL_HOSTS: LOOPBACK.map((one) => `${one}:*`).join() } : {};
}

/** All stores are in one directory; store URLs of separately run services are ignored. */
function storeUrls(directory: string) {
  return {
    BUS_URL: `memory:${join(directory, 'bus.sqlite')}`,
    SERIES_URL: `sqlite:${join(directory, 'series.sqlite')}`,
    DATABASE_URL: undefined,
  };
}
