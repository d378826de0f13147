import { logSettings, readConfig, setting, type Env } from '@lobbystats/service-kit';
import { z } from 'zod';
import { unguessable } from './unguessable.ts';

const HTTP = ['http', 'https'];

const provisionSettings = z.object({
  ...logSettings,
  /** RabbitMQ's management API, and who has all rights there. */
  RABBITMQ_MANAGEMENT_URL: setting.url({ protocols: HTTP, default: 'http://127.0.0.1:15672' }),
  RABBITMQ_ADMIN_USER: setting.text('admin'),
  RABBITMQ_ADMIN_PASSWORD: unguessable(),
  /** The virtual host of the system. */
  RABBITMQ_VHOST: setting.text('lobbystats'),
  RABBITMQ_COLLECTOR_PASSWORD: unguessable(),
  RABBITMQ_SERIES_API_PASSWORD: unguessable(),
  RABBITMQ_CATALOG_API_PASSWORD: unguessable(),
  RABBITMQ_USER_API_PASSWORD: unguessable(),
  RABBITMQ_REPUTATION_API_PASSWORD: unguessable(),
  RABBITMQ_GATEWAY_PASSWORD: unguessable(),
  RABBITMQ_DLQ_PASSWORD: unguessable(),
  INFLUXDB_URL: setting.url({ protocols: HTTP, default: 'http://127.0.0.1:8086' }),
  INFLUXDB_ADMIN_TOKEN: unguessable(),
  INFLUXDB_ORG: setting.text('lobbystats'),
  /** Where the services' tokens are written: InfluxDB makes them up itself. */
  INFLUX_TOKEN_DIRECTORY: setting.text('./data/tokens'),
  /** Where Grafana's is, by which it reads the series. */
  GRAFANA_TOKEN_FILE: setting.text('./data/tokens/grafana'),
  /** Without a user and a database. */
  MONGODB_URL: setting.mongodb({ default: 'mongodb://127.0.0.1:27017' }),
  MONGODB_ADMIN_USER: setting.text('admin'),
  MONGODB_ADMIN_PASSWORD: unguessable(),
  MONGODB_COLLECTOR_PASSWORD: unguessable(),
  MONGODB_CATALOG_API_PASSWORD: unguessable(),
  MONGODB_USER_API_PASSWORD: unguessable(),
  MONGODB_REPUTATION_API_PASSWORD: unguessable(),
  // The job has no use for these. It looks at them because those who have don't.
  INFLUXDB_ADMIN_PASSWORD: unguessable().optional(),
  GRAFANA_ADMIN_PASSWORD: unguessable().optional(),
  FORGOTTEN_KEY: unguessable().optional(),
  MONGODB_KEY: unguessable().optional(),
});

export type ProvisionConfig = Readonly<z.output<typeof provisionSettings>>;

/** @throws ConfigError that lists every fault of the environment */
export function readProvisionConfig(env: Env): ProvisionConfig {
  return readConfig(provisionSettings, env);
}
