import { createLogger, runCommand, type Env, type Terminal } from '@lobbystats/service-kit';
import { readProvisionConfig } from './config.ts';
import { provision } from './provision.ts';

/** Returns the exit code: 0 done, 1 it failed. */
export async function runProvision(env: Env, terminal: Terminal): Promise<number> {
  return runCommand('provision', terminal, async () => {
    const config = readProvisionConfig(env);
    const logger = createLogger({ service: 'provision', level: config.LOG_LEVEL, format: config.LOG_FORMAT });
    await provision(config, (line) => logger.info(line));
    logger.info('servers provisioned');
    return 0;
  });
}
