import { runProcess } from '@lobbystats/service-kit';
import { createAnalystProxy, readAnalystProxyConfig } from './service.ts';

await runProcess({
  name: 'analyst-proxy',
  create: (env) => {
    const config = readAnalystProxyConfig(env);
    const service = createAnalystProxy(config);
    return Promise.resolve({ service, logger: service.logger, stopTimeoutMs: config.STOP_TIMEOUT_MS });
  },
});
