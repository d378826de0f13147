import { type Env, readOptions, runCommand, type Terminal, UsageError } from '@lobbystats/service-kit';
import { readDeployment, withEnvFile } from '../command/deployment.ts';
import { backUpServers } from '../servers/back-up-servers.ts';
import { backUpStandalone } from './back-up-standalone.ts';
import type { Manifest } from './manifest.ts';

const HELP = `Copies all data, while the system runs: npm run backup -- --to DIRECTORY

  --to DIRECTORY    target: a directory that doesn't exist yet or is empty
  --env-file FILE   settings, such as the .env of docker compose: for the distributed form
  --help            this text

Without --env-file, and with no administrator's password set, it copies DATA_DIR of npm start (default: ./data):
all files as of one instant. For the distributed form it copies MongoDB's databases (as of one instant) and InfluxDB's
buckets. Messages in RabbitMQ's queues are not copied, only counted. The backup contains personal data and, for the
standalone form, the erasure key: protect it like the data. An interrupted run leaves DIRECTORY.unfinished, which the next one
removes.

Exit codes: 0 done; 1 it failed; 2 wrong usage
`;

export async function runBackup(
  args: readonly string[],
  env: Env,
  { clock, terminal }: { clock: () => number; terminal: Terminal },
): Promise<number> {
  return runCommand('backup', terminal, async () => {
    const options = readOptions(args, {
      to: { type: 'string' },
      'env-file': { type: 'string' },
      help: { type: 'boolean', short: 'h' },
    });
    if (options.help === true || args.length === 0) {
      terminal.out(HELP);
      return 0;
    }
    if (options.to === undefined) throw new UsageError('--to DIRECTORY is required');
    const deployment = readDeployment(withEnvFile(env, options['env-file']));
    const manifest =
      deployment.form === 'standalone'
        ? await backUpStandalone(deployment, options.to, { clock, terminal })
        : await backUpServers(deployment, options.to, { clock, terminal });
    terminal.out(`${summaryOf(manifest)}\nBacked up to ${options.to}.\n`);
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
