import { type Env, OperatorError, readOptions, runCommand, type Terminal, UsageError } from '@lobbystats/service-kit';
import { summaryOf } from '../backup/run-backup.ts';
import { readDeployment, readStandalone, withEnvFile } from '../command/deployment.ts';
import { migrate } from './migrate.ts';

const HELP = `Copies the data of npm start to the distributed form: npm run migrate -- --from sqlite:DIRECTORY --to FILE

  --from sqlite:DIRECTORY  the standalone's DATA_DIR; it must be stopped, and is unchanged
  --to FILE                settings of the servers, such as the .env of docker compose
  --force                  permanently replace the data of the servers; without it servers with data are refused
  --leave                  discard messages queued in the standalone
  --help                   this text

The three servers must run and be provisioned, and no service may run:
  docker compose up -d --wait rabbitmq influxdb mongodb && docker compose run --rm init
ERASURE_KEY in FILE must equal the standalone's forgotten.key. Copied: series, titles, boards with their versions and
changes, events, users, profiles, play time, unlocks, ratings, unpublished facts and backfill progress. Not copied: the fact log
(streams reset) and the page caches of collectors (they read the pages again). It needs free space for a copy beside DIRECTORY.
Counts are compared at the end. Repeat an interrupted run with the same command.

Exit codes: 0 done, and all counts match; 1 failed; 2 wrong usage
`;

export async function runMigrate(
  args: readonly string[],
  env: Env,
  { clock, terminal }: { clock: () => number; terminal: Terminal },
): Promise<number> {
  return runCommand('migrate', terminal, async () => {
    const options = readOptions(args, {
      from: { type: 'string' },
      to: { type: 'string' },
      force: { type: 'boolean' },
      leave: { type: 'boolean' },
      help: { type: 'boolean', short: 'h' },
    });
    if (options.help === true || args.length === 0) {
      terminal.out(HELP);
      return 0;
    }
    const directory = /^sqlite:(.+)$/.exec(options.from ?? '')?.[1];
    if (directory === undefined) throw new UsageError('--from sqlite:DIRECTORY is required');
    if (options.to === undefined) throw new UsageError('--to FILE is required');
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
