import type { AddCommand } from '../cli-command.ts';

const DETAILS = `
The three servers must run and be provisioned, and no service may run:
  docker compose up -d --wait rabbitmq influxdb mongodb && docker compose run --rm init
ERASURE_KEY in FILE must equal the standalone's forgotten.key. Copied: series, titles, boards with their versions and
changes, events, users, profiles, play time, unlocks, ratings, unpublished facts and backfill progress. Not copied: the
fact log (streams reset) and the page caches of collectors (they read the pages again). It needs free space for a copy
beside DIRECTORY. Counts are compared at the end. Repeat an interrupted run with the same command.

Exit codes: 0 done, and all counts match; 1 failed; 2 wrong usage`;

export const addMigrate: AddCommand = (program, toAction) => {
  program
    .command('migrate')
    .description('copy the data of npm start to the distributed form')
    .option('--from <url>', "sqlite:DIRECTORY, the standalone's DATA_DIR; it must be stopped, and is unchanged (required)")
    .option('--to <file>', 'settings of the servers, such as the .env of docker compose (required)')
    .option('--force', 'permanently replace the data of the servers; without it servers with data are refused')
    .option('--leave', 'discard messages queued in the standalone')
    .addHelpText('after', DETAILS)
    .action(
      toAction(
        async (args, { env, clock, terminal }) => {
          const { runMigrate } = await import('../operator/migrate/run-migrate.ts');
          return runMigrate(args, env, { clock, terminal });
        },
        { requiresArguments: true },
      ),
    );
};
