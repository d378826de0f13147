import type { AddCommand } from '../cli-command.ts';

const DETAILS = `
The services must be stopped. For the distributed form the three servers must run and be provisioned:
  docker compose up -d --wait rabbitmq influxdb mongodb && docker compose run --rm init
Checksums are verified before anything is changed, and counts are compared at the end. Repeat an interrupted restore with
the same command. Points that have expired since the backup (snapshots: 30 days) are skipped and counted.

Exit codes: 0 done, and all counts match the backup; 1 failed; 2 wrong usage`;

export const addRestore: AddCommand = (program, toAction) => {
  program
    .command('restore')
    .description('restore a backup')
    .option('--from <directory>', 'the backup (required)')
    .option('--force', "permanently replace existing data; without it a target that isn't empty is refused")
    .option('--env-file <file>', 'settings, such as the .env of docker compose: for the distributed form')
    .addHelpText('after', DETAILS)
    .action(
      toAction(
        async (args, { env, clock, terminal }) => {
          const { runRestore } = await import('../operator/restore/run-restore.ts');
          return runRestore(args, env, { clock, terminal });
        },
        { requiresArguments: true },
      ),
    );
};
