import { inspect } from 'node:util';
import { AppError, messageOf, StartupError } from '@lobbystats/errors';
import { ConfigError, createLogger, redactText } from '@lobbystats/service-kit';
import { readProvisionConfig } from './config.ts';
import { provision } from './provision.ts';

const HELP = `Prepares RabbitMQ, InfluxDB and MongoDB for the services: npm run provision

Creates or corrects exchanges, queues, the fact log, buckets, retention, indexes, and a user for each service. Idempotent.
Settings are environment variables; .env.example explains each.
`;

const [argument] = process.argv.slice(2);
if (argument !== undefined) {
  const isHelp = argument === '--help';
  (isHelp ? process.stdout : process.stderr).write(isHelp ? HELP : `Unknown argument ${argument}.\n\n${HELP}`);
  process.exit(isHelp ? 0 : 2);
}
try {
  const config = readProvisionConfig(process.env);
  const logger = createLogger({ service: 'provision', level: config.LOG_LEVEL, format: config.LOG_FORMAT });
  await provision(config, (line) => logger.info(line));
  logger.info('servers provisioned');
} catch (error) {
  const isPlain = error instanceof ConfigError || error instanceof StartupError || error instanceof AppError;
  process.stderr.write(`provision: ${isPlain ? reasonOf(error) : redactText(inspect(error))}\n`);
  process.exitCode = 1;
}

/** The message of an AppError is for clients; its cause has the details. */
function reasonOf(error: Error): string {
  return error.cause === undefined ? error.message : `${error.message} (${messageOf(error.cause)})`;
}
