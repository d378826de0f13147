import { join } from 'node:path';
import { readConfig, setting, type Env } from '@lobbystats/service-kit';
import { z } from 'zod';
import { readDataDirectory } from '../operator/command/deployment.ts';

export type ModerationConfig = ReturnType<typeof readModerationConfig>;

/** @throws ConfigError that lists every fault of the environment */
export function readModerationConfig(env: Env) {
  const data = readDataDirectory(env);
  return readConfig(moderationSettings(data.directory), data.env);
}

/** @param directory that of the stores */
export function moderationSettings(directory: string) {
  const protocols = ['mongodb', 'mongodb+srv'];
  const fileIn = (name: string) => `sqlite:${join(directory, name)}`;
  return z.object({
    NETWORK_ORIGIN: setting.text('simulated'),
    USER_DATABASE_URL: setting.store({ protocols, default: fileIn('users.sqlite') }).meta({
      description: 'Stores of user-api and reputation-api for npx lobbystats moderate. Default: files in ./data.',
      commented: true,
    }),
    REPUTATION_DATABASE_URL: setting
      .store({ protocols, default: fileIn('reputation.sqlite') })
      .meta({ commented: true }),
    ERASURE_KEY: setting.secret().optional(),
  });
}
