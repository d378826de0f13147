import { join } from 'node:path';
import { ConfigError, readConfig, setting, type Env } from '@lobbystats/service-kit';
import { z } from 'zod';

const standaloneSettings = z.object({
  HOST: setting.text('127.0.0.1'),
  PORT: setting.integer({ min: 0, max: 65_535, default: 8080 }),
  SIMULATOR_PORT: setting.integer({ min: 0, max: 65_535, default: 8090 }),
  METRICS_PORT: setting.integer({ min: 0, max: 65_535, default: 9464 }),
  DATA_DIR: setting.text('./data'),
  NETWORK_URL: setting.text(''),
  NETWORK_PUBLIC_URL: setting.text(''),
  NETWORK_ORIGIN: setting.text(''),
  LOG_LEVEL: setting.oneOf(['error', 'warn', 'info', 'debug'], 'info'),
  LOG_FORMAT: setting.oneOf(['auto', 'json', 'pretty'], 'auto'),
  STOP_TIMEOUT_MS: setting.integer({ min: 100, max: 600_000, default: 10_000 }),
});

/** The settings of the whole system in one process. */
export interface StandaloneConfig extends Readonly<z.output<typeof standaloneSettings>> {
  /** Whether the simulator is started along. */
  bringsSimulator: boolean;
  /** What the services are given beside their own defaults. */
  env: Env;
}

/**
 * Reads the settings. Without `NETWORK_URL` the network is the simulator.
 *
 * @throws ConfigError that names every fault
 */
export function readStandaloneConfig(env: Env): StandaloneConfig {
  const settings = readConfig(standaloneSettings, env);
  const bringsSimulator = settings.NETWORK_URL === '';
  if (!bringsSimulator && settings.NETWORK_ORIGIN === '') {
    throw new ConfigError([
      'NETWORK_ORIGIN must name the network that NETWORK_URL points at, such as its host name ("simulated" for a simulator)',
    ]);
  }
  if (bringsSimulator && settings.NETWORK_ORIGIN !== '' && settings.NETWORK_ORIGIN !== 'simulated') {
    throw new ConfigError([`NETWORK_URL must be set for the network "${settings.NETWORK_ORIGIN}"`]);
  }
  const NETWORK_ORIGIN = bringsSimulator ? 'simulated' : settings.NETWORK_ORIGIN;
  return {
    ...settings,
    NETWORK_ORIGIN,
    bringsSimulator,
    env: { ...env, NETWORK_ORIGIN, ...storeUrls(settings.DATA_DIR) },
  };
}

function storeUrls(directory: string): Record<'BUS_URL' | 'SERIES_URL', string> {
  return {
    BUS_URL: `memory:${join(directory, 'bus.sqlite')}`,
    SERIES_URL: `sqlite:${join(directory, 'series.sqlite')}`,
  };
}
