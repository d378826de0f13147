import { isSessionKey, promptly, type Caller, type Logger, type Metrics, type Sessions } from '@lobbystats/service-kit';
import { AuthDesk, type Keys } from './auth-desk.ts';
import { askAuthService, type Verdict } from './auth-service.ts';
import { Verdicts } from './verdicts.ts';

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
  /** How many keys it is asked about at once, in each of two lanes: those that were valid before, and others. */
  atOnce: number;
  /** How many writers may wait for a turn whose keys were not valid before. */
  waiting: number;
  /** How many others may. */
  waitingKnown: number;
  /** How long they do. */
  waitMs: number;
  /** Verdicts of each kind that are kept. */
  verdicts: number;
}

/**
 * A writer has a verdict within `waitMs + timeoutMs`, 2 s: handlers have 2.5 s then, and the gateway has its answer within the
 * 5 s that it waits. Those who wait hold one of the gateway's 256 connections for sessions: strangers few of them, so that
 * people who were here before find one.
 */
const usual: SessionLimits = {
  timeoutMs: 1500,
  readerMs: 500,
  atOnce: 16,
  waiting: 32,
  waitingKnown: 128,
  waitMs: 500,
  verdicts: 50_000,
};
const KEEP_MS = 60_000;
/** A session that was ended writes no longer than this. Writes are few: they can be asked about more often. */
const KEEP_REQUIRED_MS = 10_000;
const REMEMBER_MS = 12 * 3_600_000;

/**
 * Sessions of the auth service. A verdict holds for 60 s, the one that a key is valid for 10 s where a session
 * is required; many requests with one key are one question. A flood of made-up
 * keys gets only as many questions as the auth service can take, and keys that were valid before don't wait behind it.
 * Keys are neither kept nor logged.
 */
export function createSessions(options: SessionsOptions): Sessions {
  const { authUrl, clock, logger, metrics } = options;
  const limits = { ...usual, ...options.limits };
  const { timeoutMs, readerMs, atOnce: width, waiting, waitingKnown, waitMs, verdicts: max } = limits;
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
  const ask = askAuthService({ url: authUrl, timeoutMs, maxSockets: 2 * width });
  const tellers: Record<Keys, (fault: unknown) => void> = {
    known: faultTeller(logger, 'known'),
    strange: faultTeller(logger, 'strange'),
  };
  const desk = new AuthDesk({
    ask: async (key, mark) => {
      const askedAt = clock();
      const verdict = await ask(key);
      verdicts.keep(mark, verdict, askedAt);
      return verdict;
    },
    lanes: { known: { width, waiting: waitingKnown, waitMs }, strange: { width, waiting, waitMs } },
    onAnswered: (keys, fault) => {
      tellers[keys](fault);
    },
  });

  const readersWait = promptly(readerMs, 'The auth service does not answer in time');
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
      const isKnown = verdicts.isRemembered(mark);
      try {
        if (need === 'required') return settle(await desk.ask(key, mark, isKnown));
        return settle(await readersWait(() => desk.askNow(key, mark, isKnown)));
      } catch (error) {
        count('untold');
        if (need === 'required') throw error;
        return undefined;
      }
    },
  };
}

type Outcome = 'valid' | 'invalid' | 'untold';

/** Tells of an outage once, and of its end, as the keys of one lane have it. */
function faultTeller(logger: Logger, keys: Keys): (fault: unknown) => void {
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
