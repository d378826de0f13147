import { createTurnstile, readTurnstileConfig } from '@lobbystats/turnstile';
import { doAsTold } from './do-as-told.ts';

doAsTold(async (influxUrl) => {
  const config = readTurnstileConfig({
    PORT: '0',
    METRICS_PORT: '0',
    LOG_LEVEL: 'error',
    INFLUXDB_URL: String(influxUrl),
  });
  const turnstile = createTurnstile(config);
  await turnstile.start();
  return Number(new URL(turnstile.url()).port);
});
