import { baseSettings, readConfig, setting, type Env } from '@lobbystats/service-kit';
import { z } from 'zod';

const reputationApiSettings = z.object({
  ...baseSettings(8084),
  DATABASE_URL: setting.store({ protocols: ['mongodb', 'mongodb+srv'], default: 'sqlite:./data/reputation.sqlite' }),
  AUTH_URL: setting.url({ protocols: ['http:', 'https:'], default: 'http://127.0.0.1:8090' }),
});

export type ReputationApiConfig = Readonly<z.output<typeof reputationApiSettings>>;

/** @throws ConfigError that lists every fault of the environment */
export function readReputationApiConfig(env: Env): ReputationApiConfig {
  return readConfig(reputationApiSettings, env);
}
