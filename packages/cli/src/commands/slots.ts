import type { AddCommands } from '../cli-command.ts';

const DETAILS = `
FROM and TO are the first and the last slot, such as 2026-01-31T18:05:00Z, within the last 28 days. Matches, days, peaks,
records and registered users are derived again from the slots that remain. Play time, unlocks and leaderboards stay:
they do not come from slots. npm start must be stopped; DATA_DIR is its directory. --dry-run lists all that would
change.

Exit codes: 0 done; 1 there is no such slot, or it failed; 2 wrong usage`;

const DRY_RUN = 'list what would change, and change nothing';

export const addSlots: AddCommands = (program, toAction) => {
  const slots = program.command('slots').description('withdraw slots that were misread').addHelpText('after', DETAILS);
  slots
    .command('withdraw <from> <to>')
    .description('remove slots with all that follows from them')
    .option('--title <id>', 'only the counts and matches of one title')
    .option('--dry-run', DRY_RUN)
    .addHelpText('after', DETAILS)
    .action(toAction(async () => (await import('../operator/slots/run-slots.ts')).runWithdraw));
  slots
    .command('reread <from> <to>')
    .description('remove slots, and read them again from saved pages')
    .requiredOption('--pages <file>', 'pages that npm run collector -- --save FILE has written (required)')
    .option('--dry-run', DRY_RUN)
    .addHelpText('after', DETAILS)
    .action(toAction(async () => (await import('../operator/slots/run-slots.ts')).runReread));
};
