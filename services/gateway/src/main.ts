import { runProcess } from '@lobbystats/service-kit';
import { createGateway, readGatewayConfig } from './service.ts';

await runProcess({
  name: 'gateway',
  create: async (env) => {
    const config = readGatewayConfig(env);
    const service = await createGateway(config);
    return { service, logger: service.logger, stopTimeoutMs: config.STOP_TIMEOUT_MS };
  },
});
