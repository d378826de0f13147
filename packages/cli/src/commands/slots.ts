import type { Command } from 'commander';
import type { AddCommands } from '../cli-command.ts';

const DETAILS = `
FROM and TO are the first and the last slot, such as 2026-01-31T18:05:00Z, within the last 28 days. Matches, days, peaks,
records and registered users are derived again from the slots that remain. What was read beside the slots stays, unless
an option names it. --dry-run lists all that would change.

npm start must be stopped; DATA_DIR is its directory. In the distributed form series-api must be stopped; the other services may run, and caches follow within the hour.

Exit codes: 0 done; 1 there is no such slot, or it failed: repeat it; 2 wrong usage`;

export const addSlots: AddCommands = (program, toAction) => {
  const slots = program.command('slots').description('withdraw slots that were misread').addHelpText('after', DETAILS);
  withWithdrawal(slots.command('withdraw <from> <to>'))
    .description('remove slots with all that follows from them')
    .option('--title <id>', 'only what is of one title')
    .action(toAction(async () => (await import('../operator/slots/run-slots.ts')).runWithdraw));
  withWithdrawal(slots.command('reread <from> <to>'))
    .description('remove slots, and read them again from saved pages')
    .requiredOption('--pages <file>', 'pages that npm run collector -- --save FILE has written (required)')
    .action(toAction(async () => (await import('../operator/slots/run-slots.ts')).runReread));
};

function withWithdrawal(command: Command): Command {
  return command
    .option('--changes', 'also changes of leaderboards in this time; a leaderboard is right after its next reading')
    .option('--play-time', 'also the minutes that users earned in these slots')
    .option('--unlocks', 'also achievements unlocked in this time that users have not earned otherwise')
    .option('--dry-run', 'list what would change, and change nothing')
    .option('--settings <file>', 'settings, such as the .env of docker compose: for the distributed form')
    .addHelpText('after', DETAILS);
}
