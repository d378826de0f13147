import { baseSettings, readConfig, setting, type Env } from '@lobbystats/service-kit';
import { z } from 'zod';

const catalogApiSettings = z.object({
  ...baseSettings(8082),
  /** Where the titles are kept: `sqlite:PATH`. */
  DATABASE_URL: setting.text('sqlite:./data/catalog.sqlite').superRefine((url, refinement) => {
    const fault = databaseFault(url);
    if (fault !== undefined) refinement.addIssue({ code: 'custom', message: fault });
  }),
});

export type CatalogApiConfig = Readonly<z.output<typeof catalogApiSettings>>;

/** @throws ConfigError that lists every fault of the environment */
export function readCatalogApiConfig(env: Env): CatalogApiConfig {
  return readConfig(catalogApiSettings, env);
}

function databaseFault(url: string): string | undefined {
  if (/^sqlite:./.test(url)) return undefined;
  if (/^mongodb(\+srv)?:/.test(url)) return 'names a MongoDB, and this release has no adapter for it: use sqlite:PATH';
  return 'must be of the form sqlite:PATH';
}
