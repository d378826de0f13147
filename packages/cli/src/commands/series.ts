import type { Command } from 'commander';
import type { AddCommands } from '../cli-command.ts';

const SLOTS = `
FROM and TO are the first and the last slot, such as 2026-01-31T18:05:00Z: at most a day, within the last 28 days. All
that was read in them goes: counts, matches, changes of leaderboards and play time. Matches, days, peaks, records,
registered users and the times of achievements are derived again from what remains; an achievement that rested on them
alone goes too. --dry-run lists what is stored of the slots.

The services run meanwhile: the collector publishes the withdrawal, each service removes what it has, and no late copy
returns. A leaderboard is right after its next reading; caches follow within the hour.

Exit codes: 0 done; 1 nothing is stored of the slots, or it failed: repeat it; 2 wrong usage`;

export const addSlots: AddCommands = (program, toAction) => {
  const slots = program.command('slots').description('withdraw slots that were misread').addHelpText('after', SLOTS);
  withOptions(slots.command('withdraw <from> <to>'))
    .description('remove slots with all that follows from them')
    .action(toAction(async () => (await import('../withdrawal/run-slots.ts')).runWithdraw));
};

function withOptions(command: Command): Command {
  return command
    .option('--dry-run', 'list what is stored of the slots, and change nothing')
    .option('--settings <file>', 'settings, such as the .env of docker compose: for the distributed form')
    .addHelpText('after', SLOTS);
}

const TITLES = `
Without --remove it lists what would be removed: titles, their leaderboards and changes. With it, their series go as
well, and the collectors forget them. A title that the homepage still has comes back as a new one. Sums over all titles
stay as they were counted. The services run meanwhile: the collector publishes the removal, and each service removes
what it has. Caches follow within the hour.

Without --settings, and with no administrator's password set, it works on DATA_DIR of npm start (default: ./data).

Exit codes: 0 done; 1 it failed: repeat it; 2 wrong usage`;

export const addTitles: AddCommands = (program, toAction) => {
  program
    .command('titles')
    .description('list or remove what a network that listed absurd titles has left')
    .argument('[titles...]', 'title IDs')
    .option('--since <time>', 'also titles that were new at this UTC day or time, or later')
    .option('--remove', 'remove them for good')
    .option('--settings <file>', 'settings, such as the .env of docker compose: for the distributed form')
    .addHelpText('after', TITLES)
    .action(toAction(async () => (await import('../withdrawal/run-titles.ts')).runTitles));
};

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
