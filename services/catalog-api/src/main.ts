import { runProcess } from '@lobbystats/service-kit';
import { createCatalogApi, readCatalogApiConfig } from './service.ts';

await runProcess({
  name: 'catalog-api',
  create: async (env) => {
    const config = readCatalogApiConfig(env);
    const service = await createCatalogApi(config);
    return { service, logger: service.logger, stopTimeoutMs: config.STOP_TIMEOUT_MS };
  },
});
