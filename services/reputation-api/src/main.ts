import { runProcess } from '@lobbystats/service-kit';
import { createReputationApi, readReputationApiConfig } from './service.ts';

await runProcess({
  name: 'reputation-api',
  create: async (env) => {
    const config = readReputationApiConfig(env);
    const service = await createReputationApi(config);
    return { service, logger: service.logger, stopTimeoutMs: config.STOP_TIMEOUT_MS };
  },
});
