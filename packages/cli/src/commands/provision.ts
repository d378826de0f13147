import type { AddCommand } from '../cli-command.ts';

const DETAILS = `
Creates or corrects exchanges, queues, the fact log, buckets, retention, indexes, and a user for each service. Idempotent.
Settings are environment variables; .env.example explains each.

Exit codes: 0 done; 1 it failed; 2 wrong usage`;

export const addProvision: AddCommand = (program, toAction) => {
  program
    .command('provision')
    .description('prepare RabbitMQ, InfluxDB and MongoDB for the services')
    .addHelpText('after', DETAILS)
    .action(
      toAction(async (_args, { env, terminal }) => {
        const { runProvision } = await import('../provision/run-provision.ts');
        return runProvision(env, terminal);
      }),
    );
};
