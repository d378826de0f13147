import type { AddCommand } from '../cli-command.ts';

const DETAILS = `
Each secret is random. Existing values are unchanged: only missing ones are added, and only names are printed.

Exit codes: 0 done, or already complete; 1 the file can't be written; 2 wrong usage`;

export const addInit: AddCommand = (program, toAction) => {
  program
    .command('init')
    .description('write the secrets of a deployment and the simulator profile to .env for docker compose')
    .argument('[file]', 'instead of .env')
    .addHelpText('after', DETAILS)
    .action(
      toAction(async (args, { terminal }) => {
        const { runInit } = await import('../provision/env-file/run-init.ts');
        return runInit(args, terminal);
      }),
    );
};
