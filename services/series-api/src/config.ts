import { baseSettings, readConfig, setting, type Env } from '@lobbystats/service-kit';
import { z } from 'zod';

const seriesApiSettings = z.object({
  ...baseSettings(8081),
  /** Where the series are kept: `sqlite:PATH`. */
  SERIES_URL: setting.text('sqlite:./data/series.sqlite').superRefine((url, refinement) => {
    const fault = seriesUrlFault(url);
    if (fault !== undefined) refinement.addIssue({ code: 'custom', message: fault });
  }),
});

export type SeriesApiConfig = Readonly<z.output<typeof seriesApiSettings>>;

/** @throws ConfigError that lists every fault of the environment */
export function readSeriesApiConfig(env: Env): SeriesApiConfig {
  return readConfig(seriesApiSettings, env);
}

function seriesUrlFault(url: string): string | undefined {
  if (/^sqlite:./.test(url)) return undefined;
  if (/^https?:/.test(url)) return 'names an InfluxDB, and this release has no adapter for it: use sqlite:PATH';
  return 'must be of the form sqlite:PATH';
}
