import { runCommand } from '@lobbystats/service-kit';
import type { CliContext } from '../../cli-command.ts';
import { readDeployment, withEnvFile } from '../command/deployment.ts';
import { backUpServers } from '../servers/back-up-servers.ts';
import { backUpStandalone } from './back-up-standalone.ts';
import type { Manifest } from './manifest.ts';

export interface BackupOptions {
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

export function summaryOf({ takenAt, origin, parts, waiting }: Manifest): string {
  const lines = parts.map(({ file, bytes, counts }) => {
    const rows = Object.values(counts).reduce((sum, count) => sum + count, 0);
    return `  ${file.padEnd(36)} ${String(bytes).padStart(12)} bytes ${rows === 0 ? '' : `${rows} rows`}`.trimEnd();
  });
  const left = Object.entries(waiting).filter(([, messages]) => messages > 0);
  const notes = left.map(([queue, messages]) => `Not copied: ${messages} messages in the RabbitMQ queue ${queue}.`);
  return [`The network "${origin}" at ${takenAt}:`, ...lines, ...notes].join('\n');
}
