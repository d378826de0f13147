import { join } from 'node:path';
import { readConfig, setting, type Env } from '@lobbystats/service-kit';
import { z } from 'zod';
import { readDataDirectory } from '../operator/command/deployment.ts';

export type ModerationConfig = ReturnType<typeof readModerationConfig>;

/** @throws ConfigError that lists every fault of the environment */
export function readModerationConfig(env: Env) {
  const data = readDataDirectory(env);
  const protocols = ['mongodb', 'mongodb+srv'];
  const fileIn = (name: string) => `sqlite:${join(data.directory, name)}`;
  const settings = z.object({
    NETWORK_ORIGIN: setting.text('simulated'),
    USER_DATABASE_URL: setting.store({ protocols, default: fileIn('users.sqlite') }),
    REPUTATION_DATABASE_URL: setting.store({ protocols, default: fileIn('reputation.sqlite') }),
    ERASURE_KEY: setting.secret().optional(),
  });
  return readConfig(settings, data.env);
}
