import type { AddCommands } from '../cli-command.ts';

const EXPORT = `
Writes Parquet files, one a day: network, snapshots, matches, leaderboards and changes, as DIRECTORY/NAME/YYYY-MM-DD.parquet.
It reads the public API at GATEWAY_URL (default: http://127.0.0.1:8080). A file gets its name when it is complete, and an
existing one is replaced. docs/analysts.md describes the columns.

Exit codes: 0 done; 1 it failed; 2 wrong usage`;

export const addExport: AddCommands = (program, toAction) => {
  program
    .command('export')
    .description('write the data of a day to Parquet files for analysts')
    .requiredOption('--out <directory>', 'target; it is created (required)')
    .option('--date <date>', 'a UTC day that is over, YYYY-MM-DD (yesterday)')
    .option('--nightly', 'each night, until it is stopped')
    .addHelpText('after', EXPORT)
    .action(toAction(async () => (await import('../export/run-export.ts')).runExport));
};
