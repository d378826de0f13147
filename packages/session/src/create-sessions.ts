import { isSessionKey, promptly, type Caller, type Logger, type Metrics, type Sessions } from '@lobbystats/service-kit';
import { askAuthService, type Verdict } from './auth-service.ts';
import { Verdicts } from './verdicts.ts';
import { VerificationQueue } from './verification-queue.ts';

export interface SessionsOptions {
  /** Where the auth service is. */
  authUrl: string;
  /** Epoch milliseconds. */
  clock: () => number;
  logger: Logger;
  metrics: Metrics;
  limits?: Partial<SessionLimits>;
}

/** All in milliseconds, or in number. */
interface SessionLimits {
  /** How long the auth service may take. */
  timeoutMs: number;
  /** How long a reader waits for it. */
  readerMs: number;
  /** Requests to it at once, in each of the two queues. */
  concurrency: number;
  /** Unknown keys that may wait. */
  maxWaiting: number;
  /** Trusted keys that may wait. */
  maxWaitingTrusted: number;
  /** How long a key may wait. */
  waitMs: number;
  /** Verdicts of each kind that are kept. */
  verdicts: number;
}

/**
 * A writer has a verdict within `waitMs + timeoutMs`, 2 s: handlers have 2.5 s then, and the gateway has its answer within the
 * 5 s that it waits. A waiting key holds one of the gateway's 256 connections for sessions: few are left to unknown keys, so
 * that trusted ones find a connection.
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
/** A session that was ended writes no longer than this. Writes are few: they can be asked about more often. */
const KEEP_REQUIRED_MS = 10_000;
const REMEMBER_MS = 12 * 3_600_000;

/**
 * Sessions of the auth service. A verdict holds for 60 s; where a session is required, a valid one holds for 10 s. Requests
 * with the same key share one verification. Keys that were valid before have a queue of their own, so that a flood of made-up
 * keys can't delay them. Keys are neither kept nor logged.
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

/** Trusted keys were valid before. */
type Keys = 'trusted' | 'unknown';
type Outcome = 'valid' | 'invalid' | 'untold';

/** Logs the start and the end of an outage, once each. */
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
