import { createLogger, runProcess } from '@lobbystats/service-kit';
import { createGateway, readGatewayConfig } from './service.ts';

await runProcess({
  name: 'gateway',
  create: async (env) => {
    const config = readGatewayConfig(env);
    const logger = createLogger({ service: 'gateway', level: config.LOG_LEVEL, format: config.LOG_FORMAT });
    return { service: await createGateway(config, { logger }), logger, stopTimeoutMs: config.STOP_TIMEOUT_MS };
  },
});
