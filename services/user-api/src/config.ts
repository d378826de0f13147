import { fileURLToPath } from 'node:url';
import { baseSettings, readConfig, setting, type Env } from '@lobbystats/service-kit';
import { z } from 'zod';

const HTTP = ['http', 'https'];
const KEY_MIN = 16;
/** The repository's own definitions. */
const ACHIEVEMENTS = fileURLToPath(new URL('../../../infra/achievements.json', import.meta.url));

const userApiSettings = z.object({
  ...baseSettings(8083),
  /** Where people are kept: `sqlite:PATH` or `mongodb://USER:PASSWORD@HOST:PORT/DATABASE`. */
  DATABASE_URL: setting.store({ protocols: ['mongodb', 'mongodb+srv'], default: 'sqlite:./data/users.sqlite' }),
  /** Where sessions are verified. */
  AUTH_URL: setting.url({ protocols: HTTP, default: 'http://127.0.0.1:8090' }),
  /** Where Discord's numbers are looked up. */
  DISCORD_API_URL: setting.url({ protocols: HTTP, default: 'http://127.0.0.1:8090/discord' }),
  DISCORD_BOT_TOKEN: setting
    .secret()
    .refine((token) => /^[\x21-\x7e]+$/.test(token.reveal()), 'must be visible ASCII characters')
    .optional(),
  /** Tells people who were forgotten. With another key the feed makes them anew. */
  FORGOTTEN_KEY: setting
    .secret()
    .refine((key) => key.reveal().length >= KEY_MIN, `must be at least ${KEY_MIN} characters long`),
  /** The achievements' definitions. */
  ACHIEVEMENTS_FILE: setting.text(ACHIEVEMENTS),
  /** The network's site. */
  NETWORK_URL: setting.url({ protocols: HTTP, default: 'http://127.0.0.1:8090' }),
  /** The same as browsers reach it, for the images of achievements. Default: `NETWORK_URL`. */
  NETWORK_PUBLIC_URL: setting.url({ protocols: HTTP }).optional(),
});

export type UserApiConfig = Readonly<z.output<typeof userApiSettings> & { NETWORK_PUBLIC_URL: string }>;

/** @throws ConfigError that lists every fault of the environment */
export function readUserApiConfig(env: Env): UserApiConfig {
  const settings = readConfig(userApiSettings, env);
  return Object.freeze({ ...settings, NETWORK_PUBLIC_URL: settings.NETWORK_PUBLIC_URL ?? settings.NETWORK_URL });
}
