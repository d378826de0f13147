import { readOptions, runCommand, UsageError, type Env, type Terminal } from '@lobbystats/service-kit';
import { analystTokens, type AnalystTokens } from './analyst-tokens.ts';
import { readAnalystTokenConfig } from './config.ts';

const HELP = `Tokens by which analysts read InfluxDB themselves: the buckets snapshots and daily, and nothing else. They can't write.

  npm run analyst-token -- --name NAME    makes one and prints it, once: it can't be shown again
  npm run analyst-token -- --list         who has one, and since when
  npm run analyst-token -- --revoke NAME  takes it away

INFLUXDB_ADMIN_TOKEN is read from .env or the environment; INFLUXDB_URL says where InfluxDB is (default: this machine, at
INFLUXDB_PORT). docs/analysts.md says what can be asked.
`;

/** Needs no quoting. */
const NAME = /^[A-Za-z0-9][A-Za-z0-9._@-]{0,63}$/;

type Work = (tokens: AnalystTokens) => Promise<string>;

/**
 * `npm run analyst-token`. Only the token goes to `out`. Returns the exit code: 0 done, 1 failed, 2 wrong usage.
 *
 * @param args what stands behind the program's name
 * @returns the exit code: 0 done, 1 it can't be done, 2 wrong usage
 */
export async function runAnalystToken(args: readonly string[], env: Env, terminal: Terminal): Promise<number> {
  return runCommand('analyst-token', terminal, async () => {
    const work = workOf(args, terminal);
    terminal.out(work === 'help' ? HELP : await work(analystTokens(readAnalystTokenConfig(env))));
    return 0;
  });
}

function workOf(args: readonly string[], terminal: Terminal): Work | 'help' {
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
  const given = name ?? revoke;
  if (given !== undefined && !NAME.test(given)) {
    throw new UsageError('a name has up to 64 letters, digits and . _ @ -, and begins with a letter or digit');
  }
  if (name !== undefined) {
    return async (tokens) => {
      const token = await tokens.make(name);
      terminal.error(`${name} can read snapshots and daily with this token, which is shown this once:\n`);
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
      : all.map((one) => `${one.name.padEnd(24)} ${one.madeAt}\n`).join('');
  };
}
