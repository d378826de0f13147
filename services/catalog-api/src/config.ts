import { baseSettings, readConfig, setting, type Env } from '@lobbystats/service-kit';
import { z } from 'zod';

const catalogApiSettings = z.object({
  ...baseSettings(8082),
  DATABASE_URL: setting.store({ protocols: ['mongodb', 'mongodb+srv'], default: 'sqlite:./data/catalog.sqlite' }),
  /** Makes the calendar's UIDs unique. */
  PUBLIC_URL: setting.url({ protocols: ['http:', 'https:'], default: 'http://127.0.0.1:8080' }),
});

export type CatalogApiConfig = Readonly<z.output<typeof catalogApiSettings>>;

/** @throws ConfigError that lists every fault of the environment */
export function readCatalogApiConfig(env: Env): CatalogApiConfig {
  return readConfig(catalogApiSettings, env);
}
