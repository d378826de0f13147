import { withTimeout } from '@lobbystats/concurrency';
import { isSessionKey, type Caller, type Logger, type Metrics, type Sessions } from '@lobbystats/service-kit';
import { createKeyVerifier, type Verification } from './auth-service.ts';
import { VerificationCache } from './verification-cache.ts';
import { VerificationQueue } from './verification-queue.ts';

export interface SessionVerifierOptions {
  authUrl: string;
  clock: () => number;
  logger: Logger;
  metrics: Metrics;
  limits?: Partial<VerifierLimits>;
}

interface VerifierLimits {
  timeoutMs: number;
  readerMs: number;
  concurrency: number;
  maxWaiting: number;
  maxWaitingTrusted: number;
  waitMs: number;
  maxEntries: number;
}

/**
 * A write is verified or rejected within 2 s. Queued keys hold authenticated connections of the gateway; most are
 * reserved for trusted keys.
 */
const DEFAULT_LIMITS: VerifierLimits = {
  timeoutMs: 1500,
  readerMs: 500,
  concurrency: 16,
  maxWaiting: 32,
  maxWaitingTrusted: 128,
  waitMs: 500,
  maxEntries: 50_000,
};
const CACHE_TTL_MS = 60_000;
/** Bounds writes with a session that has ended. */
const REQUIRED_TTL_MS = 10_000;
const TRUST_MS = 12 * 3_600_000;

/**
 * Verifies session keys, cached for 60 s, or 10 s where a session is required. Trusted keys have their own queue, which a
 * flood of made-up keys can't delay. Keys are neither stored nor logged.
 */
export function createSessionVerifier(options: SessionVerifierOptions): Sessions {
  const { authUrl, clock, logger, metrics } = options;
  const {
    timeoutMs,
    readerMs,
    concurrency,
    maxWaiting,
    maxWaitingTrusted,
    waitMs,
    maxEntries: maxEntries,
  } = {
    ...DEFAULT_LIMITS,
    ...options.limits,
  };
  const verdicts = new VerificationCache({
    clock,
    ttlMs: CACHE_TTL_MS,
    requiredTtlMs: REQUIRED_TTL_MS,
    trustMs: TRUST_MS,
    maxEntries,
  });
  const checks = metrics.counter('session_checks_total', 'Session key verifications by outcome', ['outcome']);
  const count = (outcome: Outcome) => {
    checks.inc({ outcome });
  };
  const askService = createKeyVerifier({ url: authUrl, timeoutMs, maxSockets: 2 * concurrency });
  const verify = async (key: string, mark: string) => {
    const askedAt = clock();
    const verdict = await askService(key);
    verdicts.set(mark, verdict, askedAt);
    return verdict;
  };
  const queueOf = (keys: KeyClass, limit: number) =>
    new VerificationQueue({ verify, concurrency, maxWaiting: limit, waitMs, onResult: logOutages(logger, keys) });
  const trusted = queueOf('trusted', maxWaitingTrusted);
  const unknown = queueOf('unknown', maxWaiting);

  const withinReaderMs = withTimeout(readerMs, 'The auth service does not answer in time');
  const settle = (verdict: Verification): Caller | undefined => {
    count(verdict.caller === null ? 'invalid' : 'valid');
    return verdict.caller ?? undefined;
  };
  return {
    verify: async (key, need) => {
      if (!isSessionKey(key)) return settle({ caller: null });
      const mark = verdicts.fingerprint(key);
      const cachedVerdict = verdicts.get(mark, need);
      if (cachedVerdict !== undefined) return settle(cachedVerdict);
      const queue = verdicts.isTrusted(mark) ? trusted : unknown;
      try {
        if (need === 'required') return settle(await queue.verify(key, mark, true));
        return settle(await withinReaderMs(() => queue.verify(key, mark, false)));
      } catch (error) {
        count('unavailable');
        if (need === 'required') throw error;
        return undefined;
      }
    },
  };
}

type KeyClass = 'trusted' | 'unknown';
type Outcome = 'valid' | 'invalid' | 'unavailable';

/** Logs an outage once when it starts and once when it ends. */
function logOutages(logger: Logger, keys: KeyClass): (fault: unknown) => void {
  let faults = 0;
  return (error) => {
    if (error === undefined) {
      if (faults > 0) logger.info('session verification recovered', { keys, faults });
      faults = 0;
      return;
    }
    faults += 1;
    logger.log(faults === 1 ? 'warn' : 'debug', 'session verification failed', { keys, faults, error });
  };
}
