import type { AddCommands } from '../cli-command.ts';

const BACKUP = `
Without --settings, and with no administrator's password set, it copies DATA_DIR of npm start (default: ./data):
all files as of one instant. For the distributed form it copies MongoDB's databases (as of one instant) and InfluxDB's
buckets. Messages in RabbitMQ's queues are not copied, only counted. The backup contains personal data and, for the
standalone form, the erasure key: protect it like the data. An interrupted run leaves DIRECTORY.unfinished, which the
next one removes.

Exit codes: 0 done; 1 it failed; 2 wrong usage`;

const RESTORE = `
The services must be stopped. For the distributed form the three servers must run and be provisioned:
  docker compose up -d --wait rabbitmq influxdb mongodb && docker compose run --rm init
Checksums are verified before anything is changed, and counts are compared at the end. Repeat an interrupted restore
with the same command. Points that have expired since the backup (snapshots: 30 days) are skipped and counted.

Exit codes: 0 done, and all counts match the backup; 1 failed; 2 wrong usage`;

const MIGRATE = `
The three servers must run and be provisioned, and no service may run:
  docker compose up -d --wait rabbitmq influxdb mongodb && docker compose run --rm init
ERASURE_KEY of the servers must equal the standalone's erasure.key. Copied: series, titles, boards with their versions and
changes, events, users, profiles, play time, unlocks, ratings, unpublished facts and backfill progress. Not copied: the
fact log (streams reset) and the page caches of collectors (they read the pages again). It needs free space for a copy
beside DIRECTORY. Counts are compared at the end. Repeat an interrupted run with the same command.

Exit codes: 0 done, and all counts match; 1 failed; 2 wrong usage`;

const SETTINGS = 'settings, such as the .env of docker compose: for the distributed form';

export const addBackupCommands: AddCommands = (program, toAction) => {
  program
    .command('backup')
    .description('copy all data, while the system runs')
    .requiredOption('--to <directory>', "target: a directory that doesn't exist yet or is empty (required)")
    .option('--settings <file>', SETTINGS)
    .option('--without-channels', 'leave out the channels of users and, with npm start, the key that seals them')
    .addHelpText('after', BACKUP)
    .action(toAction(async () => (await import('../operator/backup/run-backup.ts')).runBackup));
  program
    .command('restore')
    .description('restore a backup')
    .requiredOption('--from <directory>', 'the backup (required)')
    .option('--force', "permanently replace existing data; without it a target that isn't empty is refused")
    .option('--settings <file>', SETTINGS)
    .addHelpText('after', RESTORE)
    .action(toAction(async () => (await import('../operator/restore/run-restore.ts')).runRestore));
  program
    .command('migrate')
    .description('copy the data of npm start to the distributed form')
    .requiredOption(
      '--from <url>',
      "sqlite:DIRECTORY, the standalone's DATA_DIR; it must be stopped, and is unchanged (required)",
    )
    .option('--to <file>', 'settings of the servers, such as the .env of docker compose; default: the environment')
    .option('--force', 'permanently replace the data of the servers; without it servers with data are refused')
    .option('--leave', 'discard messages queued in the standalone')
    .addHelpText('after', MIGRATE)
    .action(toAction(async () => (await import('../operator/migrate/migrate.ts')).runMigrate));
};
