import { baseSettings, readConfig, setting, type Env } from '@lobbystats/service-kit';
import { z } from 'zod';

const catalogApiSettings = z.object({
  ...baseSettings(8082),
  /** Where the titles are kept: `sqlite:PATH` or `mongodb://USER:PASSWORD@HOST:PORT/DATABASE`. */
  DATABASE_URL: setting.store({ protocols: ['mongodb', 'mongodb+srv'], default: 'sqlite:./data/catalog.sqlite' }),
});

export type CatalogApiConfig = Readonly<z.output<typeof catalogApiSettings>>;

/** @throws ConfigError that lists every fault of the environment */
export function readCatalogApiConfig(env: Env): CatalogApiConfig {
  return readConfig(catalogApiSettings, env);
}
