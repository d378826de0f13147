import {
  composeService,
  createHealth,
  createLogger,
  createMetrics,
  type ComposedService,
  type Logger,
} from '@lobbystats/service-kit';
import type { TurnstileConfig } from './config.ts';
import { Turns } from './domain/turns.ts';
import { answerQuestions } from './http/answer-question.ts';
import { pingInflux } from './http/ask-influx.ts';
import { questionMetrics } from './question-metrics.ts';

export { readTurnstileConfig, type TurnstileConfig } from './config.ts';

/** Credit after a pause, so that occasional queries don't wait. */
const SAVINGS_MS = 2000;
const WAITING_MAX = 64;

/** A fair, time-limited proxy between analysts and InfluxDB. */
export function createTurnstile(config: TurnstileConfig, overrides: { logger?: Logger } = {}): ComposedService {
  const { INFLUXDB_URL: influxUrl, QUESTION_WAIT_MS: waitMs, QUESTION_TIMEOUT_MS: timeoutMs } = config;
  const { LOG_LEVEL: level, LOG_FORMAT: format } = config;
  const logger = overrides.logger ?? createLogger({ service: 'turnstile', level, format });
  const metrics = createMetrics('turnstile');
  const turns = new Turns({
    share: config.ANALYSTS_SHARE / 100,
    savingsMs: SAVINGS_MS,
    now: () => performance.now(),
    waitMs,
    waitingMax: WAITING_MAX,
  });
  const health = createHealth({ service: 'turnstile', details: {} });
  health.dependency('influxdb', () => pingInflux(influxUrl));
  return composeService({
    name: 'turnstile',
    config,
    logger,
    metrics,
    health,
    routes: [],
    configure: (app) => {
      app.use(answerQuestions({ influxUrl, turns, waitMs, timeoutMs, count: questionMetrics(metrics) }));
    },
    closers: [],
    startParts: () => Promise.resolve(),
  });
}
