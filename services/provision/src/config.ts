import { logSettings, readConfig, setting, type Env } from '@lobbystats/service-kit';
import { z } from 'zod';

const HTTP = ['http', 'https'];

const provisionSettings = z.object({
  ...logSettings,
  /** RabbitMQ's management API, and who has all rights there. */
  RABBITMQ_MANAGEMENT_URL: setting.url({ protocols: HTTP, default: 'http://127.0.0.1:15672' }),
  RABBITMQ_ADMIN_USER: setting.text('admin'),
  RABBITMQ_ADMIN_PASSWORD: setting.secret(),
  /** The virtual host of the system. */
  RABBITMQ_VHOST: setting.text('lobbystats'),
  RABBITMQ_COLLECTOR_PASSWORD: setting.secret(),
  RABBITMQ_SERIES_API_PASSWORD: setting.secret(),
  RABBITMQ_CATALOG_API_PASSWORD: setting.secret(),
  RABBITMQ_USER_API_PASSWORD: setting.secret(),
  RABBITMQ_REPUTATION_API_PASSWORD: setting.secret(),
  RABBITMQ_GATEWAY_PASSWORD: setting.secret(),
  RABBITMQ_DLQ_PASSWORD: setting.secret(),
  INFLUXDB_URL: setting.url({ protocols: HTTP, default: 'http://127.0.0.1:8086' }),
  INFLUXDB_ADMIN_TOKEN: setting.secret(),
  INFLUXDB_ORG: setting.text('lobbystats'),
  /** Where the services' tokens are written: InfluxDB makes them up itself. */
  INFLUX_TOKEN_DIRECTORY: setting.text('./data/tokens'),
  /** Without a user and a database. */
  MONGODB_URL: setting.mongodb({ default: 'mongodb://127.0.0.1:27017' }),
  MONGODB_ADMIN_USER: setting.text('admin'),
  MONGODB_ADMIN_PASSWORD: setting.secret(),
  MONGODB_COLLECTOR_PASSWORD: setting.secret(),
  MONGODB_CATALOG_API_PASSWORD: setting.secret(),
  MONGODB_USER_API_PASSWORD: setting.secret(),
  MONGODB_REPUTATION_API_PASSWORD: setting.secret(),
});

export type ProvisionConfig = Readonly<z.output<typeof provisionSettings>>;

/** @throws ConfigError that lists every fault of the environment */
export function readProvisionConfig(env: Env): ProvisionConfig {
  return readConfig(provisionSettings, env);
}
