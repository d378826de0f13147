import { logSettings, readConfig, setting, type Env } from '@lobbystats/service-kit';
import { z } from 'zod';
import { unguessable } from './unguessable.ts';

const HTTP = ['http', 'https'];

const provisionSettings = z.object({
  ...logSettings,
  RABBITMQ_MANAGEMENT_URL: setting.url({ protocols: HTTP, default: 'http://127.0.0.1:15672' }),
  RABBITMQ_ADMIN_USER: setting.text('admin'),
  RABBITMQ_ADMIN_PASSWORD: unguessable(),
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
  INFLUX_TOKEN_DIRECTORY: setting.text('./data/tokens'),
  GRAFANA_TOKEN_FILE: setting.text('./data/tokens/grafana'),
  MONGODB_URL: setting.mongodb({ default: 'mongodb://127.0.0.1:27017' }),
  MONGODB_ADMIN_USER: setting.text('admin'),
  MONGODB_ADMIN_PASSWORD: unguessable(),
  MONGODB_COLLECTOR_PASSWORD: unguessable(),
  MONGODB_CATALOG_API_PASSWORD: unguessable(),
  MONGODB_USER_API_PASSWORD: unguessable(),
  MONGODB_REPUTATION_API_PASSWORD: unguessable(),
  // Checked here for services that don't check it.
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
