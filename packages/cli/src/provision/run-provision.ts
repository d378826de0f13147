import { inspect } from 'node:util';
import { AppError, messageOf, StartupError } from '@lobbystats/errors';
import { ConfigError, createLogger, redactText, type Env, type Terminal } from '@lobbystats/service-kit';
import { readProvisionConfig } from './config.ts';
import { provision } from './provision.ts';

/**
 * `npx lobbystats provision`.
 *
 * @returns the exit code: 0 done, 1 it failed
 */
export async function runProvision(env: Env, terminal: Terminal): Promise<number> {
  try {
    const config = readProvisionConfig(env);
    const logger = createLogger({ service: 'provision', level: config.LOG_LEVEL, format: config.LOG_FORMAT });
    await provision(config, (line) => logger.info(line));
    logger.info('servers provisioned');
    return 0;
  } catch (error) {
    const isPlain = error instanceof ConfigError || error instanceof StartupError || error instanceof AppError;
    terminal.error(`provision: ${isPlain ? reasonOf(error) : redactText(inspect(error))}\n`);
    return 1;
  }
}

/** The message of an AppError is for clients; its cause has the details. */
function reasonOf(error: Error): string {
  return error.cause === undefined ? error.message : `${error.message} (${messageOf(error.cause)})`;
}
