import { baseSettings, readConfig, setting, type Env } from '@lobbystats/service-kit';
import { z } from 'zod';

const seriesApiSettings = z.object({
  ...baseSettings(8081),
  SERIES_URL: setting.store({ protocols: ['http', 'https'], default: 'sqlite:./data/series.sqlite' }),
  INFLUX_TOKEN: setting.secret().optional(),
  INFLUX_ORG: setting.text('lobbystats'),
});

export type SeriesApiConfig = Readonly<z.output<typeof seriesApiSettings>>;

/** @throws ConfigError that lists every fault of the environment */
export function readSeriesApiConfig(env: Env): SeriesApiConfig {
  return readConfig(seriesApiSettings, env);
}
