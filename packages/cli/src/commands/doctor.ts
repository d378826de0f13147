import type { AddCommand } from '../cli-command.ts';

const DETAILS = `
Without --env-file, and with no administrator's password set, it checks DATA_DIR of npm start (default: ./data).
It changes nothing, and prints no secret.

Exit codes: 0 no fault, though there may be warnings; 1 a fault; 2 wrong usage`;

export const addDoctor: AddCommand = (program, toAction) => {
  program
    .command('doctor')
    .description('check the system and name a remedy for each fault')
    .option('--env-file <file>', 'settings, such as the .env of docker compose: for the distributed form')
    .option('--json', 'print JSON')
    .addHelpText('after', DETAILS)
    .action(
      toAction(async (args, { env, clock, terminal }) => {
        const { runDoctor } = await import('../operator/doctor/run-doctor.ts');
        return runDoctor(args, env, { clock, terminal });
      }),
    );
};
