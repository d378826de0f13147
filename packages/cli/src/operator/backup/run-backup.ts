import { runCommand } from '@lobbystats/service-kit';
import type { CliContext } from '../../cli-command.ts';
import { readDeployment, withEnvFile } from '../command/deployment.ts';
import { backUpServers } from '../servers/back-up-servers.ts';
import { backUpStandalone } from './back-up-standalone.ts';
import { summaryOf } from './manifest.ts';

interface BackupOptions {
  readonly to: string;
  readonly envFile?: string;
}

export async function runBackup(context: CliContext, { to, envFile }: BackupOptions): Promise<number> {
  const { env, terminal } = context;
  return runCommand('backup', terminal, async () => {
    const deployment = readDeployment(withEnvFile(env, envFile));
    const manifest =
      deployment.form === 'standalone'
        ? await backUpStandalone(deployment, to, context)
        : await backUpServers(deployment, to, context);
    terminal.out(`${summaryOf(manifest)}\nBacked up to ${to}.\n`);
    return 0;
  });
}
