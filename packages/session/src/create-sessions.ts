import { isSessionKey, promptly, type Caller, type Logger, type Metrics, type Sessions } from '@lobbystats/service-kit';
import { askAuthService, type Verdict } from './auth-service.ts';
import { Verdicts } from './verdicts.ts';
import { VerificationQueue } from './verification-queue.ts';

export interface SessionsOptions {
  authUrl: string;
  clock: () => number;
  logger: Logger;
  metrics: Metrics;
  limits?: Partial<SessionLimits>;
}

interface SessionLimits {
  timeoutMs: number;
  readerMs: number;
  concurrency: number;
  maxWaiting: number;
  maxWaitingTrusted: number;
  waitMs: number;
  verdicts: number;
}

/**
 * A writer gets a verdict within 2 s. Waiting keys hold the gateway's session connections; most are reserved for trusted
 * keys.
 */
const usual: SessionLimits = {
  timeoutMs: 1500,
  readerMs: 500,
  concurrency: 16,
  maxWaiting: 32,
  maxWaitingTrusted: 128,
  waitMs: 500,
  verdicts: 50_000,
};
const KEEP_MS = 60_000;
/** Bounds how long an ended session can write. */
const KEEP_REQUIRED_MS = 10_000;
const REMEMBER_MS = 12 * 3_600_000;

/**
 * Verified sessions, cached for 60 s, or 10 s where a session is required. Trusted keys have their own queue, which a
 * flood of made-up keys can't delay. Keys are neither stored nor logged.
 */
export function createSessions(options: SessionsOptions): Sessions {
  const { authUrl, clock, logger, metrics } = options;
  const {
    timeoutMs,
    readerMs,
    concurrency,
    maxWaiting,
    maxWaitingTrusted,
    waitMs,
    verdicts: max,
  } = {
    ...usual,
    ...options.limits,
  };
  const verdicts = new Verdicts({
    clock,
    keepMs: KEEP_MS,
    keepRequiredMs: KEEP_REQUIRED_MS,
    rememberMs: REMEMBER_MS,
    max,
  });
  const checks = metrics.counter('session_checks_total', 'Session keys looked at, by what came of it', ['outcome']);
  const count = (outcome: Outcome) => {
    checks.inc({ outcome });
  };
  const askService = askAuthService({ url: authUrl, timeoutMs, maxSockets: 2 * concurrency });
  const ask = async (key: string, mark: string) => {
    const askedAt = clock();
    const verdict = await askService(key);
    verdicts.keep(mark, verdict, askedAt);
    return verdict;
  };
  const queueOf = (keys: Keys, limit: number) =>
    new VerificationQueue({ ask, concurrency, maxWaiting: limit, waitMs, onAnswered: logOutages(logger, keys) });
  const trusted = queueOf('trusted', maxWaitingTrusted);
  const unknown = queueOf('unknown', maxWaiting);

  const withinReaderMs = promptly(readerMs, 'The auth service does not answer in time');
  const settle = (verdict: Verdict): Caller | undefined => {
    count(verdict.caller === null ? 'invalid' : 'valid');
    return verdict.caller ?? undefined;
  };
  return {
    verify: async (key, need) => {
      if (!isSessionKey(key)) return settle({ caller: null });
      const mark = verdicts.markOf(key);
      const kept = verdicts.find(mark, need);
      if (kept !== undefined) return settle(kept);
      const queue = verdicts.isTrusted(mark) ? trusted : unknown;
      try {
        if (need === 'required') return settle(await queue.verify(key, mark, true));
        return settle(await withinReaderMs(() => queue.verify(key, mark, false)));
      } catch (error) {
        count('untold');
        if (need === 'required') throw error;
        return undefined;
      }
    },
  };
}

type Keys = 'trusted' | 'unknown';
type Outcome = 'valid' | 'invalid' | 'untold';

/** Logs an outage once when it starts and once when it ends. */
function logOutages(logger: Logger, keys: Keys): (fault: unknown) => void {
  let faults = 0;
  return (error) => {
    if (error === undefined) {
      if (faults > 0) logger.info('the auth service answers again', { keys, faults });
      faults = 0;
      return;
    }
    faults += 1;
    logger.log(faults === 1 ? 'warn' : 'debug', 'sessions can not be checked', { keys, faults, error });
  };
}
