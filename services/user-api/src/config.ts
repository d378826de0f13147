import { fileURLToPath } from 'node:url';
import { baseSettings, readConfig, setting, type Env } from '@lobbystats/service-kit';
import { z } from 'zod';

const HTTP = ['http', 'https'];
const HOST = /^(?:\[[\da-f:.]+\]|[^\s:/@[\]]+):(?:\d{1,5}|\*)$/i;
const KEY_MIN = 16;
const ACHIEVEMENTS = fileURLToPath(new URL('../../../infra/achievements.json', import.meta.url));

/** Printed in .env.example. */
export const userApiSettings = z.object({
  ...baseSettings(8083),
  DATABASE_URL: setting.store({ protocols: ['mongodb', 'mongodb+srv'], default: 'sqlite:./data/users.sqlite' }),
  AUTH_URL: setting.url({ protocols: HTTP, default: 'http://127.0.0.1:8090' }),
  DISCORD_API_URL: setting.url({ protocols: HTTP, default: 'http://127.0.0.1:8090/discord' }).meta({
    description:
      'URL of the Discord API for looking up profiles: by default the simulator, really https://discord.com/api/v10',
    commented: true,
  }),
  DISCORD_BOT_TOKEN: setting
    .secret()
    .refine((token) => /^[\x21-\x7e]+$/.test(token.reveal()), 'must be visible ASCII characters')
    .optional()
    .meta({ description: 'Its bot token.' }),
  CHANNEL_HOSTS: setting
    .text('')
    .refine((text) => hostsOf(text).every((host) => HOST.test(host)), 'must be HOST:PORT, several by commas')
    .transform(hostsOf)
    .meta({
      description:
        'Hosts that channels of users may reach beside the public internet over https, such as an ntfy server of yours: HOST:PORT, several by commas, where PORT may be *.',
      commented: true,
    }),
  ERASURE_KEY: setting
    .secret()
    .refine((key) => key.reveal().length >= KEY_MIN, `must be at least ${KEY_MIN} characters long`)
    .meta({
      description:
        'HMAC key that recognizes erased users, so that they are not imported again. npm start creates it in DATA_DIR/erasure.key, docker compose in its secrets. Keep it as long as the data.',
    }),
  ACHIEVEMENTS_FILE: setting
    .text(ACHIEVEMENTS)
    .meta({ description: 'Definitions of the achievements.', default: './infra/achievements.json', commented: true }),
  NETWORK_URL: setting.url({ protocols: HTTP, default: 'http://127.0.0.1:8090' }),
  NETWORK_PUBLIC_URL: setting.url({ protocols: HTTP }).optional(),
  /** The site, to which notifications link. */
  PUBLIC_URL: setting.url({ protocols: HTTP, default: 'http://127.0.0.1:8080' }),
});

export type UserApiConfig = Readonly<z.output<typeof userApiSettings> & { NETWORK_PUBLIC_URL: string }>;

function hostsOf(text: string): string[] {
  return text
    .split(',')
    .map((host) => host.trim().toLowerCase())
    .filter((host) => host !== '');
}

/** @throws ConfigError that lists every fault of the environment */
export function readUserApiConfig(env: Env): UserApiConfig {
  const settings = readConfig(userApiSettings, env);
  return Object.freeze({ ...settings, NETWORK_PUBLIC_URL: settings.NETWORK_PUBLIC_URL ?? settings.NETWORK_URL });
}
