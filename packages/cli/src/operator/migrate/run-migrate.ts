import { OperatorError, runCommand, UsageError } from '@lobbystats/service-kit';
import type { CliContext } from '../../cli-command.ts';
import { summaryOf } from '../backup/run-backup.ts';
import { readDeployment, readStandalone, withEnvFile } from '../command/deployment.ts';
import { migrate } from './migrate.ts';

export interface MigrateOptions {
  /** sqlite:DIRECTORY */
  readonly from: string;
  readonly to: string;
  readonly force?: boolean;
  readonly leave?: boolean;
}

export async function runMigrate({ env, clock, terminal }: CliContext, options: MigrateOptions): Promise<number> {
  return runCommand('migrate', terminal, async () => {
    const directory = /^sqlite:(.+)$/.exec(options.from)?.[1];
    if (directory === undefined) throw new UsageError('--from sqlite:DIRECTORY is required');
    const to = readDeployment(withEnvFile(env, options.to));
    if (to.form === 'standalone') throw new OperatorError(`${options.to} names no servers: it lacks their passwords`);
    const { force = false, leave = false } = options;
    const from = readStandalone({ DATA_DIR: directory });
    const manifest = await migrate(from, to, { force, leave, clock, terminal });
    terminal.out(
      `${summaryOf(manifest)}\nMigrated and compared: all counts match. Next: docker compose up -d --wait\n`,
    );
    return 0;
  });
}
