import { existsSync } from 'node:fs';
import { readConfig, runCommand, setting, UsageError, type Env } from '@lobbystats/service-kit';
import { z } from 'zod';
import type { CliContext } from '../../cli-command.ts';
import { withSettings } from '../../operator/command/deployment.ts';
import { analystTokens, type AnalystTokens } from './analyst-tokens.ts';

const analystTokenSettings = z.object({
  INFLUXDB_URL: setting.url({ protocols: ['http', 'https'] }).optional(),
  INFLUXDB_PORT: setting.integer({ min: 1, max: 65_535, default: 8086 }),
  INFLUXDB_ADMIN_TOKEN: setting.secret(),
  INFLUXDB_ORG: setting.text('lobbystats'),
});

const ENV_FILE = '.env';
/** Needs no quoting. */
const NAME = /^[A-Za-z0-9][A-Za-z0-9._@-]{0,63}$/;

/** One of them, and only one. */
interface AnalystTokenOptions {
  /** Creates a token. */
  readonly name?: string;
  readonly list?: boolean;
  /** The name whose token is deleted. */
  readonly revoke?: string;
}

/**
 * Only the token goes to `out`.
 *
 * @returns the exit code: 0 done, 1 failed, 2 wrong usage
 */
export async function runAnalystToken({ env, terminal }: CliContext, options: AnalystTokenOptions): Promise<number> {
  return runCommand('analyst-token', terminal, async () => {
    const { name, list = false, revoke } = options;
    if ([name !== undefined, list, revoke !== undefined].filter(Boolean).length !== 1) {
      throw new UsageError('one of --name NAME, --list and --revoke NAME, and only one');
    }
    const tokenName = name ?? revoke;
    if (tokenName !== undefined && !NAME.test(tokenName)) {
      throw new UsageError('a name has up to 64 letters, digits and . _ @ -, and begins with a letter or digit');
    }
    const tokens = openTokens(withSettings(env, existsSync(ENV_FILE) ? ENV_FILE : undefined));
    if (name !== undefined) {
      const token = await tokens.create(name);
      terminal.error(`${name} can read snapshots and daily with this token, which is shown only once:\n`);
      terminal.out(`${token}\n`);
    } else if (revoke === undefined) {
      terminal.out(await describeTokens(tokens));
    } else {
      await tokens.revoke(revoke);
      terminal.out(`The token of ${revoke} is gone.\n`);
    }
    return 0;
  });
}

/** @throws ConfigError that lists every fault of the environment */
function openTokens(env: Env): AnalystTokens {
  const config = readConfig(analystTokenSettings, env);
  return analystTokens({
    url: config.INFLUXDB_URL ?? `http://127.0.0.1:${config.INFLUXDB_PORT}`,
    adminToken: config.INFLUXDB_ADMIN_TOKEN.reveal(),
    org: config.INFLUXDB_ORG,
  });
}

async function describeTokens(tokens: AnalystTokens): Promise<string> {
  const all = await tokens.list();
  if (all.length === 0) return 'No analyst has a token.\n';
  return all.map(({ name, createdAt }) => `${name.padEnd(24)} ${createdAt}\n`).join('');
}
