import { type Env, OperatorError, readOptions, runCommand, type Terminal, UsageError } from '@lobbystats/service-kit';
import { summaryOf } from '../backup/run-backup.ts';
import { readDeployment, readStandalone, withEnvFile } from '../command/deployment.ts';
import { migrate } from './migrate.ts';

const HELP = `Takes over what npm start keeps into the distributed form: npm run migrate -- --from sqlite:DIRECTORY --to FILE

  --from sqlite:DIRECTORY  the standalone's DATA_DIR; it must be stopped, and stays as it is
  --to FILE                settings that say where the servers are, such as the .env of docker compose
  --force                  replace what the servers have, for good; without it servers that have data are refused
  --leave                  leave behind what waits in the standalone's bus
  --help                   this text

The three servers run and are prepared, and no service runs:
  docker compose up -d --wait rabbitmq influxdb mongodb && docker compose run --rm init
FORGOTTEN_KEY in FILE must be what stands in the standalone's forgotten.key. Carried over: series, titles, boards with their
versions and changes, events, people, profiles, play time, unlocks, ratings, facts that wait, and how far the past is filled.
Left behind: the log of facts (streams begin anew), and what collectors remember of pages (they read them again). It needs room
for a copy beside DIRECTORY. Counts are compared at the end. A run that was cut off is begun again by the same command.

Exit codes: 0 done, and all counts are the same; 1 it failed; 2 wrong usage
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
    if (directory === undefined) throw new UsageError('--from says which standalone: sqlite:DIRECTORY');
    if (options.to === undefined) throw new UsageError('--to says which file has the settings of the servers');
    const to = readDeployment(withEnvFile(env, options.to));
    if (to.form === 'standalone') throw new OperatorError(`${options.to} names no servers: it lacks their passwords`);
    const { force = false, leave = false } = options;
    const from = readStandalone({ DATA_DIR: directory });
    const manifest = await migrate(from, to, { force, leave, clock, terminal });
    terminal.out(
      `${summaryOf(manifest)}\nTaken over, and compared: all counts are the same. Next: docker compose up -d --wait\n`,
    );
    return 0;
  });
}
