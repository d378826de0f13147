import { baseSettings, readConfig, setting, type Env } from '@lobbystats/service-kit';
import { z } from 'zod';

const seriesApiSettings = z.object({
  ...baseSettings(8081),
  /** Where the series are kept: `sqlite:PATH`. */
  SERIES_URL: setting.store('sqlite:./data/series.sqlite', { server: 'an InfluxDB', protocol: /^https?:/ }),
});

export type SeriesApiConfig = Readonly<z.output<typeof seriesApiSettings>>;

/** @throws ConfigError that lists every fault of the environment */
export function readSeriesApiConfig(env: Env): SeriesApiConfig {
  return readConfig(seriesApiSettings, env);
}
