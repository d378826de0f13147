import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { readConfig, setting, type Env, type Secret } from '@lobbystats/service-kit';
import { z } from 'zod';

const MONGODB = ['mongodb', 'mongodb+srv'];

const dataDirectory = z.object({ DATA_DIR: setting.text('./data') });

export interface ModerationConfig {
  readonly NETWORK_ORIGIN: string;
  readonly USER_DATABASE_URL: string;
  readonly REPUTATION_DATABASE_URL: string;
  readonly ERASURE_KEY?: Secret | undefined;
}

/**
 * `npm start` stores its own key in DATA_DIR; that is the default.
 *
 * @throws ConfigError that lists every fault of the environment
 */
export function readModerationConfig(env: Env): ModerationConfig {
  const { DATA_DIR } = readConfig(dataDirectory, env);
  const settings = z.object({
    NETWORK_ORIGIN: setting.text('simulated'),
    USER_DATABASE_URL: setting.store({ protocols: MONGODB, default: `sqlite:${join(DATA_DIR, 'users.sqlite')}` }),
    REPUTATION_DATABASE_URL: setting.store({
      protocols: MONGODB,
      default: `sqlite:${join(DATA_DIR, 'reputation.sqlite')}`,
    }),
    ERASURE_KEY: setting.secret().optional(),
  });
  return readConfig(settings, { ...keyFile(DATA_DIR), ...env });
}

function keyFile(directory: string): Env {
  const path = join(directory, 'forgotten.key');
  return existsSync(path) ? { ERASURE_KEY_FILE: path } : {};
}
