import { runProcess } from '@lobbystats/service-kit';
import { createSeriesApi, readSeriesApiConfig } from './service.ts';

await runProcess({
  name: 'series-api',
  create: async (env) => {
    const config = readSeriesApiConfig(env);
    const service = await createSeriesApi(config);
    return { service, logger: service.logger, stopTimeoutMs: config.STOP_TIMEOUT_MS };
  },
});
