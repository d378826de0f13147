import type { z } from 'zod';
import { logLevels } from '../logs/create-logger.ts';
import { setting } from './setting.ts';

const PORT_MAX = 65_535;
const ORIGIN = /^[A-Za-z0-9._:-]{1,100}$/;

export const logSettings = {
  LOG_LEVEL: setting
    .oneOf(logLevels, 'info')
    .meta({ description: 'error, warn, info or debug; lines are readable on a terminal, else JSON.' }),
};

/** `PORT` 0: any free port; `METRICS_PORT` 0: no metrics server. Metrics have no authentication: keep them on loopback. */
export function baseSettings(defaultPort: number) {
  return {
    ...logSettings,
    NETWORK_ORIGIN: setting
      .text('simulated')
      .refine((name) => ORIGIN.test(name), 'must be a name of letters, digits and . _ : -')
      .meta({
        description:
          'Name of the network, required with NETWORK_URL; it is stored with all data, and a store of another network is refused.',
        commented: true,
      }),
    HOST: setting
      .text('127.0.0.1')
      .meta({ description: 'Address of the web site and the API; 0.0.0.0 accepts connections from other machines.' }),
    PORT: setting
      .integer({ min: 0, max: PORT_MAX, default: defaultPort })
      .meta({ description: 'Port of the web site and the API.' }),
    METRICS_HOST: setting
      .text('127.0.0.1')
      .meta({ description: 'Address of the Prometheus metrics, which have no authentication; independent of HOST.' }),
    METRICS_PORT: setting
      .integer({ min: 0, max: PORT_MAX, default: 9464 })
      .meta({ description: 'Port of the Prometheus metrics; 0 disables them.' }),
    BUS_URL: setting.url({ protocols: ['memory', 'amqp', 'amqps'], default: 'memory:' }).meta({
      description:
        'The message bus: memory: (not durable), memory:PATH (a journal in a file) or amqp://USER:PASSWORD@HOST:PORT/VHOST (RabbitMQ; the HOST of a cluster is a name of all its nodes).',
      commented: true,
    }),
  };
}

type BaseConfig = z.output<z.ZodObject<ReturnType<typeof baseSettings>>>;

/** The settings of a server: not every service has a network and a bus. */
export interface ServerConfig extends Omit<BaseConfig, 'NETWORK_ORIGIN' | 'BUS_URL'> {
  NETWORK_ORIGIN?: string;
  SOCKET_DIRECTORY?: string | undefined;
}
