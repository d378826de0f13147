import type { AddCommand } from '../cli-command.ts';

const DETAILS = `
Without --env-file, and with no administrator's password set, it copies DATA_DIR of npm start (default: ./data):
all files as of one instant. For the distributed form it copies MongoDB's databases (as of one instant) and InfluxDB's
buckets. Messages in RabbitMQ's queues are not copied, only counted. The backup contains personal data and, for the
standalone form, the erasure key: protect it like the data. An interrupted run leaves DIRECTORY.unfinished, which the
next one removes.

Exit codes: 0 done; 1 it failed; 2 wrong usage`;

export const addBackup: AddCommand = (program, toAction) => {
  program
    .command('backup')
    .description('copy all data, while the system runs')
    .option('--to <directory>', "target: a directory that doesn't exist yet or is empty (required)")
    .option('--env-file <file>', 'settings, such as the .env of docker compose: for the distributed form')
    .addHelpText('after', DETAILS)
    .action(
      toAction(
        async (args, { env, clock, terminal }) => {
          const { runBackup } = await import('../operator/backup/run-backup.ts');
          return runBackup(args, env, { clock, terminal });
        },
        { requiresArguments: true },
      ),
    );
};
