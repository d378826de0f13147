import { join } from 'node:path';
import { isSet, readConfig, setting, type Env, type Secret } from '@lobbystats/service-kit';
import { z } from 'zod';
import { administratorOf, readDataDirectory } from '../operator/command/deployment.ts';
import { databaseOf } from '../provision/permissions/store-permissions.ts';

export type ModerationConfig = ReturnType<typeof readModerationConfig>;

const moderationSettings = z.object({
  NETWORK_ORIGIN: setting.text('simulated'),
  ERASURE_KEY: setting.secret().optional(),
});
/** Stores in MongoDB are opened as their services do. */
const serverSettings = moderationSettings.extend({
  MONGODB_URL: setting.mongodb({ default: '' }),
  MONGODB_USER_API_PASSWORD: setting.secret(),
  MONGODB_REPUTATION_API_PASSWORD: setting.secret(),
});

/** @throws ConfigError that lists every fault of the environment */
export function readModerationConfig(env: Env) {
  if (isSet('MONGODB_URL', env)) {
    const { MONGODB_URL: url, ...settings } = readConfig(serverSettings, env);
    return {
      ...settings,
      usersUrl: databaseUrl(url, 'user-api', settings.MONGODB_USER_API_PASSWORD),
      reputationUrl: databaseUrl(url, 'reputation-api', settings.MONGODB_REPUTATION_API_PASSWORD),
    };
  }
  const data = readDataDirectory(env);
  return {
    ...readConfig(moderationSettings, data.env),
    usersUrl: `sqlite:${join(data.directory, 'users.sqlite')}`,
    reputationUrl: `sqlite:${join(data.directory, 'reputation.sqlite')}`,
  };
}

function databaseUrl(serverUrl: string, user: 'user-api' | 'reputation-api', password: Secret): string {
  const [, hosts = '', query = ''] = /^mongodb:\/\/([^/?]*)\/?(.*)$/.exec(administratorOf(serverUrl).url) ?? [];
  return `mongodb://${user}:${encodeURIComponent(password.reveal())}@${hosts}/${databaseOf[user]}${query}`;
}
