import type { AddCommands } from '../cli-command.ts';

const DETAILS = `
Without --remove it lists what would be removed: titles, their leaderboards and changes. With it, their series go as
well, and the collectors forget them. A title that the homepage still has comes back as a new one. Sums over all titles
stay as they were counted. The services may run meanwhile; caches follow within the hour.

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
    .addHelpText('after', DETAILS)
    .action(toAction(async () => (await import('../titles/run-titles.ts')).runTitles));
};
