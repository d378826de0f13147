import { createLogger, runCommand } from '@lobbystats/service-kit';
import type { CliContext } from '../cli-command.ts';
import { readProvisionConfig } from './config.ts';
import { provision } from './provision.ts';

/** Returns the exit code: 0 done, 1 it failed. */
export async function runProvision({ env, terminal }: CliContext): Promise<number> {
  return runCommand('provision', terminal, async () => {
    const config = readProvisionConfig(env);
    const logger = createLogger({ service: 'provision', level: config.LOG_LEVEL, format: config.LOG_FORMAT });
    await provision(config, (line) => logger.info(line));
    logger.info('servers provisioned');
    return 0;
  });
}
