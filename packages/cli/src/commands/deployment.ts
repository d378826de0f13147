import type { AddCommands } from '../cli-command.ts';

const INIT = `
Without FILE it adds the secrets of the stack in this directory to .env: the stored ones, and those that the stack
makes now. To FILE it adds random ones. Existing values are unchanged, and only names are printed.

Exit codes: 0 done, or already complete; 1 the stack's job or the file fails; 2 wrong usage`;

const ROTATE = `
In the stack: docker compose run --rm init node packages/cli/src/main.ts rotate NAME

NAME is RABBITMQ_ADMIN_PASSWORD, MONGODB_ADMIN_PASSWORD, INFLUXDB_ADMIN_PASSWORD or INFLUXDB_ADMIN_TOKEN. The former value
is kept until the server has accepted the new one: repeat an interrupted rotation.

Exit codes: 0 done; 1 it failed; 2 wrong usage`;

const PROVISION = `
Creates or corrects exchanges, queues, the fact log, buckets, retention, indexes, and a user for each service. Idempotent.
Settings are environment variables; .env.example explains each.

Exit codes: 0 done; 1 it failed; 2 wrong usage`;

const ANALYST_TOKEN = `
The tokens read the buckets snapshots and daily of InfluxDB. They can't write. One of the options, and only one, is required.

INFLUXDB_ADMIN_TOKEN is read from .env or the environment; INFLUXDB_URL is the URL of InfluxDB (default: this
machine, at INFLUXDB_PORT). docs/analysts.md describes the data.

Exit codes: 0 done; 1 it failed; 2 wrong usage`;

const DOCTOR = `
Without --settings, and with no administrator's password set, it checks DATA_DIR of npm start (default: ./data).
It changes nothing, and prints no secret.

Exit codes: 0 no fault, though there may be warnings; 1 a fault; 2 wrong usage`;

export const addDeploymentCommands: AddCommands = (program, toAction) => {
  program
    .command('init')
    .description('write the secrets of the stack to .env, or new ones to another file')
    .argument('[file]', 'random secrets of another deployment')
    .addHelpText('after', INIT)
    .action(toAction(async () => (await import('../provision/env-file/env-file.ts')).runInit));
  program
    .command('provision')
    .description('prepare RabbitMQ, InfluxDB and MongoDB for the services')
    .addHelpText('after', PROVISION)
    .action(toAction(async () => (await import('../provision/provision.ts')).runProvision));
  program
    .command('rotate')
    .description("replace an administrator's stored secret")
    .argument('<name>', 'such as MONGODB_ADMIN_PASSWORD')
    .addHelpText('after', ROTATE)
    .action(toAction(async () => (await import('../provision/rotate/rotate.ts')).runRotate));
  program
    .command('analyst-token')
    .description('create, list or revoke tokens with which analysts query InfluxDB')
    .option('--name <name>', "create a token and print it; it can't be shown again")
    .option('--list', 'list the tokens with their creation times')
    .option('--revoke <name>', 'delete the token')
    .addHelpText('after', ANALYST_TOKEN)
    .action(toAction(async () => (await import('../provision/analyst-token/run-analyst-token.ts')).runAnalystToken));
  program
    .command('doctor')
    .description('check the system and name a remedy for each fault')
    .option('--settings <file>', 'settings, such as the .env of docker compose: for the distributed form')
    .option('--json', 'print JSON')
    .addHelpText('after', DOCTOR)
    .action(toAction(async () => (await import('../operator/doctor/run-doctor.ts')).runDoctor));
};
