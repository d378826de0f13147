import { logSettings, readConfig, setting, type Env } from '@lobbystats/service-kit';
import { z } from 'zod';

const HTTP = ['http', 'https'];
const MIN_LENGTH = 16;
const MIN_DISTINCT_CHARACTERS = 8;

export const provisionSettings = z.object({
  ...logSettings,
  RABBITMQ_MANAGEMENT_URL: setting.url({ protocols: HTTP, default: 'http://127.0.0.1:15672' }).meta({
    description: 'The servers, whose URLs may name the administrator, http://NAME@HOST:PORT, if that is not admin.',
    commented: true,
  }),
  RABBITMQ_ADMIN_PASSWORD: strongSecret(),
  RABBITMQ_COLLECTOR_PASSWORD: strongSecret(),
  RABBITMQ_SERIES_API_PASSWORD: strongSecret(),
  RABBITMQ_CATALOG_API_PASSWORD: strongSecret(),
  RABBITMQ_USER_API_PASSWORD: strongSecret(),
  RABBITMQ_REPUTATION_API_PASSWORD: strongSecret(),
  RABBITMQ_GATEWAY_PASSWORD: strongSecret(),
  RABBITMQ_DLQ_PASSWORD: strongSecret(),
  INFLUXDB_URL: setting.url({ protocols: HTTP, default: 'http://127.0.0.1:8086' }).meta({ commented: true }),
  MONGODB_URL: setting.mongodb({ default: 'mongodb://127.0.0.1:27017' }).meta({ commented: true }),
  INFLUXDB_ADMIN_TOKEN: strongSecret(),
  INFLUXDB_ORG: setting.text('lobbystats'),
  /** Set where somebody else has made the token of series-api: the init job then makes none. */
  INFLUX_TOKEN: setting.secret().optional(),
  INFLUX_TOKEN_DIRECTORY: setting
    .text('./data/tokens')
    .meta({ description: 'Directory for the InfluxDB tokens of series-api and Grafana.', commented: true }),
  MONGODB_ADMIN_PASSWORD: strongSecret(),
  MONGODB_COLLECTOR_PASSWORD: strongSecret(),
  MONGODB_CATALOG_API_PASSWORD: strongSecret(),
  MONGODB_USER_API_PASSWORD: strongSecret(),
  MONGODB_REPUTATION_API_PASSWORD: strongSecret(),
  // Checked here for services that don't check it.
  INFLUXDB_ADMIN_PASSWORD: strongSecret().optional(),
  GRAFANA_ADMIN_PASSWORD: strongSecret().optional(),
  ERASURE_KEY: strongSecret().optional(),
});

export type ProvisionConfig = Readonly<z.output<typeof provisionSettings>>;

/** @throws ConfigError that lists every fault of the environment */
export function readProvisionConfig(env: Env): ProvisionConfig {
  return readConfig(provisionSettings, env);
}

/** Refuses well-known secrets such as `changeme`. */
function strongSecret() {
  return setting
    .secret()
    .refine(
      (secret) => isStrong(secret.reveal()),
      `must be at least ${MIN_LENGTH} characters, ${MIN_DISTINCT_CHARACTERS} of them different`,
    );
}

function isStrong(value: string): boolean {
  return value.length >= MIN_LENGTH && new Set(value).size >= MIN_DISTINCT_CHARACTERS;
}
