import { runProcess } from '@lobbystats/service-kit';
import { createAnalystProxy, readAnalystProxyConfig } from './service.ts';

await runProcess({
  name: 'turnstile',
  create: (env) => {
    const config = readAnalystProxyConfig(env);
    const service = createAnalystProxy(config);
    return Promise.resolve({ service, logger: service.logger, stopTimeoutMs: config.STOP_TIMEOUT_MS });
  },
});
