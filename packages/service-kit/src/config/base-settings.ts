import type { z } from 'zod';
import { logFormats, logLevels } from '../logs/create-logger.ts';
import { setting } from './setting.ts';

const PORT_MAX = 65_535;

export const logSettings = {
  LOG_LEVEL: setting.oneOf(logLevels, 'info'),
  LOG_FORMAT: setting.oneOf(logFormats, 'auto'),
};

/** `PORT` 0: any free port; `METRICS_PORT` 0: no metrics server. Metrics have no authentication: keep them on loopback. */
export function baseSettings(defaultPort: number) {
  return {
    ...logSettings,
    NETWORK_ORIGIN: setting
      .text('simulated')
      .refine((name) => /^[A-Za-z0-9._:-]{1,100}$/.test(name), 'must be a name of letters, digits and . _ : -'),
    HOST: setting.text('127.0.0.1'),
    PORT: setting.integer({ min: 0, max: PORT_MAX, default: defaultPort }),
    METRICS_HOST: setting.text('127.0.0.1'),
    METRICS_PORT: setting.integer({ min: 0, max: PORT_MAX, default: 9464 }),
    BUS_URL: setting.hosts({ protocols: ['memory', 'amqp', 'amqps'], default: 'memory:' }),
    STOP_TIMEOUT_MS: setting.integer({ min: 0, max: 600_000, default: 10_000 }),
  };
}

type BaseConfig = z.output<z.ZodObject<ReturnType<typeof baseSettings>>>;

/** The settings of a server: not every service has a network and a bus. */
export interface ServerConfig extends Omit<BaseConfig, 'NETWORK_ORIGIN' | 'BUS_URL'> {
  NETWORK_ORIGIN?: string;
  SOCKET_DIRECTORY?: string | undefined;
}
