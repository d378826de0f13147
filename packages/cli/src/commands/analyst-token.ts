import { existsSync, readFileSync } from 'node:fs';
import { parseEnv } from 'node:util';
import type { AddCommand, CliContext } from '../cli-command.ts';

const ENV_FILE = '.env';

const DETAILS = `
The tokens read the buckets snapshots and daily of InfluxDB. They can't write. One of the options, and only one, is required.

INFLUXDB_ADMIN_TOKEN is read from .env or the environment; INFLUXDB_URL is the URL of InfluxDB (default: this
machine, at INFLUXDB_PORT). docs/analysts.md describes the data.

Exit codes: 0 done; 1 it failed; 2 wrong usage`;

export const addAnalystToken: AddCommand = (program, toAction) => {
  program
    .command('analyst-token')
    .description('create, list or revoke tokens with which analysts query InfluxDB')
    .option('--name <name>', "create a token and print it; it can't be shown again")
    .option('--list', 'list the tokens with their creation times')
    .option('--revoke <name>', 'delete the token')
    .addHelpText('after', DETAILS)
    .action(
      toAction(
        async (args, { env, terminal }) => {
          const { runAnalystToken } = await import('../provision/analyst-token/analyst-token-command.ts');
          return runAnalystToken(args, withEnvFile(env), terminal);
        },
        { requiresArguments: true },
      ),
    );
};

/** The environment takes precedence, as with `node --env-file-if-exists`. */
function withEnvFile(env: CliContext['env']): CliContext['env'] {
  return existsSync(ENV_FILE) ? { ...parseEnv(readFileSync(ENV_FILE, 'utf8')), ...env } : env;
}
