import { runProcess } from '@lobbystats/service-kit';
import { createTurnstile, readTurnstileConfig } from './service.ts';

await runProcess({
  name: 'turnstile',
  create: (env) => {
    const config = readTurnstileConfig(env);
    const service = createTurnstile(config);
    return Promise.resolve({ service, logger: service.logger, stopTimeoutMs: config.STOP_TIMEOUT_MS });
  },
});
