import { runProcess } from '@lobbystats/service-kit';
import { createUserApi, readUserApiConfig } from './service.ts';

await runProcess({
  name: 'user-api',
  create: async (env) => {
    const config = readUserApiConfig(env);
    const service = await createUserApi(config);
    return { service, logger: service.logger, stopTimeoutMs: config.STOP_TIMEOUT_MS };
  },
});
