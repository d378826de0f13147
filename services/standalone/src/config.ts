import { join } from 'node:path';
import { readCatalogApiConfig } from '@lobbystats/catalog-api';
import { readCollectorConfig } from '@lobbystats/collector';
import { readGatewayConfig } from '@lobbystats/gateway';
import { readReputationApiConfig } from '@lobbystats/reputation-api';
import { readSeriesApiConfig } from '@lobbystats/series-api';
import { baseSettings, ConfigError, readConfig, setting, type Env } from '@lobbystats/service-kit';
import { readUserApiConfig } from '@lobbystats/user-api';
import { z } from 'zod';
import { hasForgottenKey } from './forgotten-key.ts';

const standaloneSettings = z.object({
  ...baseSettings(8080),
  /** Where the simulated network is. */
  SIMULATOR_PORT: setting.integer({ min: 0, max: 65_535, default: 8090 }),
  /** Where everything is kept. */
  DATA_DIR: setting.text('./data'),
});

/** The settings of the whole system in one process. */
export interface StandaloneConfig extends Readonly<z.output<typeof standaloneSettings>> {
  /** Whether the simulator is started along: when no network is named. */
  bringsSimulator: boolean;
  /** What the services are given beside their own defaults. */
  env: Env;
}

/**
 * Reads the settings of all services. Without `NETWORK_URL` the network is the simulator.
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
  const bringsSimulator = (env['NETWORK_URL'] ?? '') === '';
  const settings = collect(() => readConfig(standaloneSettings, env));
  if (bringsSimulator && settings !== undefined && settings.NETWORK_ORIGIN !== 'simulated') {
    faults.add(`NETWORK_URL must be set for the network "${settings.NETWORK_ORIGIN}"`);
  }
  if (settings !== undefined && settings.PORT !== 0 && settings.PORT === settings.SIMULATOR_PORT && bringsSimulator) {
    faults.add('PORT and SIMULATOR_PORT must differ');
  }
  const inside = { ...publicUrl(settings), ...env, ...storeUrls(settings?.DATA_DIR ?? '.') };
  for (const read of [readCollectorConfig, readSeriesApiConfig, readGatewayConfig]) collect(() => read(inside));
  collect(() => readCatalogApiConfig(databaseOf('catalog', inside, '.')));
  collect(() => readReputationApiConfig(databaseOf('reputation', inside, '.')));
  // Its key may not have been made yet.
  const key = hasForgottenKey(inside) ? {} : { FORGOTTEN_KEY: KEY_TO_COME };
  collect(() => readUserApiConfig({ ...databaseOf('users', inside, '.'), ...key }));
  if (settings === undefined || faults.size > 0) throw new ConfigError([...faults]);
  return { ...settings, bringsSimulator, env: inside };
}

const KEY_TO_COME = 'made at the first start';

/** What a service with a database of its own is given. */
export function databaseOf(name: string, env: Env, directory: string): Env {
  return { ...env, DATABASE_URL: `sqlite:${join(directory, `${name}.sqlite`)}` };
}

/** Where the public is when nobody says otherwise: where the gateway listens. */
function publicUrl(settings: { HOST: string; PORT: number } | undefined): Env {
  return settings === undefined ? {} : { PUBLIC_URL: `http://${settings.HOST}:${settings.PORT}` };
}

/** One directory has it all: addresses of stores that are set for services run alone don't count here. */
function storeUrls(directory: string) {
  return {
    BUS_URL: `memory:${join(directory, 'bus.sqlite')}`,
    SERIES_URL: `sqlite:${join(directory, 'series.sqlite')}`,
    DATABASE_URL: undefined,
  };
}
