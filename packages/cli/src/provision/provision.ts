import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { catalogSchema } from '@lobbystats/catalog-api/admin';
import { collectorSchema } from '@lobbystats/collector/admin';
import { provisionRabbitMq } from '@lobbystats/service-kit/bus';
import { provisionMongo } from '@lobbystats/service-kit/mongo';
import { reputationSchema } from '@lobbystats/reputation-api/admin';
import { provisionBuckets, provisionInflux } from '@lobbystats/series-api/admin';
import { createLogger, runCommand } from '@lobbystats/service-kit';
import { userSchema } from '@lobbystats/user-api/admin';
import type { CliContext } from '../cli-command.ts';
import { administratorOf, VHOST } from '../operator/command/deployment.ts';
import { readProvisionConfig, type ProvisionConfig } from './config.ts';
import { databaseOf, type DatabaseUser } from './permissions/store-permissions.ts';
import { ensureGrafanaToken, writeToken } from './token-files.ts';

export type Report = (line: string) => void;

/** Returns the exit code: 0 done, 1 it failed. */
export async function runProvision({ env, terminal }: CliContext): Promise<number> {
  return runCommand('provision', terminal, async () => {
    const config = readProvisionConfig(env);
    const logger = createLogger({ service: 'provision', level: config.LOG_LEVEL });
    await provision(config, (line) => logger.info(line));
    logger.info('servers provisioned');
    return 0;
  });
}

/**
 * Provisions all servers with least privilege. Idempotent; deletes no data.
 *
 * @throws StartupError when a server is misconfigured, or refuses the administrator
 * @throws AppError `unavailable` when a server stays unreachable
 */
export async function provision(config: ProvisionConfig, report: Report): Promise<void> {
  await provisionBus(config, report);
  await provisionSeries(config, report);
  await provisionDatabases(config, report);
}

async function provisionBus(config: ProvisionConfig, log: Report): Promise<void> {
  const { url: managementUrl, user } = administratorOf(config.RABBITMQ_MANAGEMENT_URL);
  await provisionRabbitMq({
    managementUrl,
    adminUser: user,
    adminPassword: config.RABBITMQ_ADMIN_PASSWORD.reveal(),
    vhost: VHOST,
    users: {
      collector: config.RABBITMQ_COLLECTOR_PASSWORD.reveal(),
      'series-api': config.RABBITMQ_SERIES_API_PASSWORD.reveal(),
      'catalog-api': config.RABBITMQ_CATALOG_API_PASSWORD.reveal(),
      'user-api': config.RABBITMQ_USER_API_PASSWORD.reveal(),
      'reputation-api': config.RABBITMQ_REPUTATION_API_PASSWORD.reveal(),
      gateway: config.RABBITMQ_GATEWAY_PASSWORD.reveal(),
      dlq: config.RABBITMQ_DLQ_PASSWORD.reveal(),
    },
    log,
  });
}

async function provisionSeries(config: ProvisionConfig, log: Report): Promise<void> {
  const server = {
    url: config.INFLUXDB_URL,
    adminToken: config.INFLUXDB_ADMIN_TOKEN.reveal(),
    org: config.INFLUXDB_ORG,
  };
  if (config.INFLUX_TOKEN !== undefined) {
    await provisionBuckets({ ...server, log });
    return;
  }
  const file = join(config.INFLUX_TOKEN_DIRECTORY, 'series-api');
  const present = existsSync(file) ? readFileSync(file, 'utf8').trim() : undefined;
  const { token } = await provisionInflux({ ...server, token: present, log });
  if (token !== present) {
    writeToken(file, token, 0o400);
    log(`${file}: wrote the token of series-api; restart series-api if it is running`);
  }
  await ensureGrafanaToken({ ...server, file: join(config.INFLUX_TOKEN_DIRECTORY, 'grafana', 'influxdb'), log });
}

async function provisionDatabases(config: ProvisionConfig, log: Report): Promise<void> {
  const { url, user: administrator } = administratorOf(config.MONGODB_URL);
  const adminUrl = withUser(url, administrator, config.MONGODB_ADMIN_PASSWORD.reveal());
  const users = {
    collector: { password: config.MONGODB_COLLECTOR_PASSWORD, schema: collectorSchema },
    'catalog-api': { password: config.MONGODB_CATALOG_API_PASSWORD, schema: catalogSchema },
    'user-api': { password: config.MONGODB_USER_API_PASSWORD, schema: userSchema },
    'reputation-api': { password: config.MONGODB_REPUTATION_API_PASSWORD, schema: reputationSchema },
  };
  for (const user of Object.keys(databaseOf) as DatabaseUser[]) {
    const { password, schema } = users[user];
    await provisionMongo({ adminUrl, database: databaseOf[user], user, password: password.reveal(), schema, log });
  }
}

function withUser(url: string, user: string, password: string): string {
  return url.replace('://', `://${encodeURIComponent(user)}:${encodeURIComponent(password)}@`);
}
