import { withTimeout } from '../concurrency/index.ts';
import { AppError } from '@lobbystats/contracts/errors';
import { context } from '../context/work-context.ts';
import { isSessionKey } from '../http/authenticate.ts';
import type { Sessions } from '../http/route.ts';
import { suppressRequestLog } from '../http/send-response.ts';
import type { Logger } from '../logs/create-logger.ts';
import type { Metrics } from '../metrics/create-metrics.ts';
import { createKeyVerifier, type Verification } from './auth-service.ts';
import { ClientLimitError, ClientLimits } from './client-limits.ts';
import { VerificationCache } from './verification-cache.ts';
import { unverified, VerificationQueue } from './verification-queue.ts';

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
  maxPerClient: number;
  maxInvalidPerClient: number;
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
  maxPerClient: 8,
  maxInvalidPerClient: 20,
};
const INVALID_WINDOW_MS = 60_000;
const CACHE_TTL_MS = 60_000;
/** Bounds writes with a session that has ended. */
const REQUIRED_TTL_MS = 10_000;
const TRUST_MS = 12 * 3_600_000;

/**
 * Verifies session keys, cached for 60 s, or 10 s where a session is required. Trusted keys have their own queue, which a
 * flood of made-up keys can't delay. The other queue is shared by client (`context`): after 20 invalid keys of a client within
 * a minute its further unknown keys are not verified. Keys are neither stored nor logged.
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
    maxEntries,
    maxPerClient,
    maxInvalidPerClient,
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
  const ask = createKeyVerifier({ url: authUrl, timeoutMs, maxSockets: 2 * concurrency });
  const queueOptions = { ask, logger, concurrency, waitMs };
  const trusted = new VerificationQueue({ ...queueOptions, keys: 'trusted', maxWaiting: maxWaitingTrusted });
  const unknown = new VerificationQueue({ ...queueOptions, keys: 'unknown', maxWaiting });
  const clients = new ClientLimits({
    ...{ clock, concurrency: maxPerClient, maxInvalid: maxInvalidPerClient, windowMs: INVALID_WINDOW_MS },
  });
  /** By fingerprint: requests with the same key share one verification. */
  const verifications = new Map<string, Promise<Verification>>();

  /** @throws AppError `unavailable` when the key is not verified; a refusal to begin is not shared, since it depends on the request */
  const verdictOf = async (key: string, need: 'optional' | 'required'): Promise<Verification> => {
    if (!isSessionKey(key)) return { caller: null };
    const mark = verdicts.fingerprint(key);
    const known = verdicts.get(mark, need) ?? verifications.get(mark);
    if (known !== undefined) return known;
    const isTrusted = verdicts.isTrusted(mark);
    const client = isTrusted ? undefined : context.getStore()?.client;
    if (client !== undefined && !clients.begin(client)) throw suppressRequestLog(unverified(new ClientLimitError()));
    const askedAt = clock();
    let verdict: Verification | undefined;
    try {
      const verification = (isTrusted ? trusted : unknown).run(key, need === 'required');
      verifications.set(mark, verification);
      verdict = await verification;
      verdicts.set(mark, verdict, askedAt);
      return verdict;
    } finally {
      if (client !== undefined) clients.end(client, verdict);
      verifications.delete(mark);
    }
  };

  const withinReaderMs = withTimeout(readerMs, 'The auth service does not answer in time');
  return {
    verify: async (key, need) => {
      try {
        const { caller } = await (need === 'required' ? verdictOf(key, need) : withinReaderMs(verdictOf, key, need));
        checks.inc({ outcome: caller === null ? 'invalid' : 'valid' });
        return caller ?? undefined;
      } catch (error) {
        const isLimited = error instanceof AppError && error.cause instanceof ClientLimitError;
        checks.inc({ outcome: isLimited ? 'limited' : 'unavailable' });
        if (need === 'required') throw error;
        return undefined;
      }
    },
  };
}
