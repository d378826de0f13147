import { readOptions, runCommand, UsageError, type Env, type Terminal } from '@lobbystats/service-kit';
import { analystTokens, type AnalystTokens } from './analyst-tokens.ts';
import { readAnalystTokenConfig } from './config.ts';

const HELP = `Tokens with which analysts read the buckets snapshots and daily of InfluxDB. They can't write.

  npm run analyst-token -- --name NAME    creates a token and prints it; it can't be shown again
  npm run analyst-token -- --list         lists the tokens with their creation times
  npm run analyst-token -- --revoke NAME  deletes the token

INFLUXDB_ADMIN_TOKEN is read from .env or the environment; INFLUXDB_URL is the URL of InfluxDB (default: this
machine, at INFLUXDB_PORT). docs/analysts.md describes the data.
`;

/** Needs no quoting. */
const NAME = /^[A-Za-z0-9][A-Za-z0-9._@-]{0,63}$/;

type TokenCommand = (tokens: AnalystTokens) => Promise<string>;

/**
 * `npm run analyst-token`. Only the token goes to `out`.
 *
 * @returns the exit code: 0 done, 1 failed, 2 wrong usage
 */
export async function runAnalystToken(args: readonly string[], env: Env, terminal: Terminal): Promise<number> {
  return runCommand('analyst-token', terminal, async () => {
    const work = parseCommand(args, terminal);
    terminal.out(work === 'help' ? HELP : await work(analystTokens(readAnalystTokenConfig(env))));
    return 0;
  });
}

function parseCommand(args: readonly string[], terminal: Terminal): TokenCommand | 'help' {
  const {
    name,
    list = false,
    revoke,
    help = false,
  } = readOptions(args, {
    name: { type: 'string' },
    list: { type: 'boolean' },
    revoke: { type: 'string' },
    help: { type: 'boolean', short: 'h' },
  });
  if (help || args.length === 0) return 'help';
  if ([name !== undefined, list, revoke !== undefined].filter(Boolean).length !== 1) {
    throw new UsageError('one of --name NAME, --list and --revoke NAME, and only one');
  }
  const tokenName = name ?? revoke;
  if (tokenName !== undefined && !NAME.test(tokenName)) {
    throw new UsageError('a name has up to 64 letters, digits and . _ @ -, and begins with a letter or digit');
  }
  if (name !== undefined) {
    return async (tokens) => {
      const token = await tokens.create(name);
      terminal.error(`${name} can read snapshots and daily with this token, which is shown only once:\n`);
      return `${token}\n`;
    };
  }
  if (revoke !== undefined) {
    return async (tokens) => {
      await tokens.revoke(revoke);
      return `The token of ${revoke} is gone.\n`;
    };
  }
  return async (tokens) => {
    const all = await tokens.list();
    return all.length === 0
      ? 'No analyst has a token.\n'
      : all.map((one) => `${one.name.padEnd(24)} ${one.createdAt}\n`).join('');
  };
}
