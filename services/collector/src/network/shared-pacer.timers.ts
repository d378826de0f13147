import type { Demand, Pacer } from './pacer.ts';
import {
  BATCH_MS,
  batchOf,
  FRESH_MS,
  MAX_LEAD_MS,
  MAX_LATENESS_MS,
  SETTLE_MS,
  stepMsOf,
  type PermitState,
  type PermitStore,
} from './permit-store.ts';
import { ServerClock } from './server-clock.ts';
import type { Telemetry } from '../telemetry/telemetry.ts';

/** The next permits are reserved, and the store is looked at, this long before they are needed. */
const AHEAD_MS = BATCH_MS;
const RETRY_MS = 250;
/** Interval of checks whether the request is still needed. */
const CHECK_MS = 100;

export interface SharedPacerParts {
  store: PermitStore;
  /** May change, and be a fraction. */
  perSecond: () => number;
  telemetry: Pick<Telemetry, 'fault' | 'permitsReserved' | 'permitsDropped' | 'quietAnnounced'>;
  stopping: AbortSignal;
}

/**
 * The limit of all replicas together (ADR 0102): a permit that was reserved in the store is used at its time, or at most
 * `MAX_LATENESS_MS` later, and only within `FRESH_MS` after a look at the store.
 */
export function sharedPacer({ store, perSecond, telemetry, stopping }: SharedPacerParts): Pacer {
  // The first permit after a setting of the clock is at least one step after the last one before it.
  const clock = new ServerClock(Math.max(SETTLE_MS, stepMsOf(perSecond())));
  /** Times of the reserved permits by the server's clock, ascending. */
  let permits: number[] = [];
  let look = { atMs: Number.NEGATIVE_INFINITY, wallMs: 0 };
  let quietEndMs = Number.NEGATIVE_INFINITY;
  let isAsking = false;
  let isFailing = false;
  let askAgainMs = Number.NEGATIVE_INFINITY;
  let wake = (): void => undefined;

  return { next, announceQuiet, quietMs: () => quietEndMs - performance.now() };

  async function next({ isNeeded, waiting }: Demand): Promise<boolean> {
    while (isNeeded()) {
      const nowMs = performance.now();
      dropLate(nowMs);
      askIfDue(nowMs, waiting());
      const dueMs = permits[0] === undefined ? Number.POSITIVE_INFINITY : clock.surelyAfter(permits[0], nowMs);
      if (dueMs <= nowMs && lookAgeMs(nowMs) <= FRESH_MS) {
        permits.shift();
        return true;
      }
      await pause(dueMs <= nowMs ? CHECK_MS : Math.min(dueMs - nowMs, CHECK_MS));
    }
    return false;
  }

  function dropLate(nowMs: number): void {
    const isLate = (dueMs: number) => clock.surelyBefore(dueMs + MAX_LATENESS_MS, nowMs) < nowMs;
    const usable = permits.filter((dueMs) => !isLate(dueMs));
    if (usable.length < permits.length) telemetry.permitsDropped(permits.length - usable.length);
    permits = usable;
  }

  /** The wall clock notices what the monotonic one doesn't: that the machine was suspended. */
  function lookAgeMs(nowMs: number): number {
    return Math.max(nowMs - look.atMs, Date.now() - look.wallMs);
  }

  function askIfDue(nowMs: number, waiting: number): void {
    if (isAsking || nowMs < askAgainMs) return;
    const [first, last] = [permits[0], permits.at(-1)];
    const isSoon = (dueMs: number) => clock.surelyAfter(dueMs, nowMs) < nowMs + AHEAD_MS;
    const missing = waiting - permits.length;
    if (clock.isSettled(nowMs) && missing > 0 && (last === undefined || isSoon(last))) {
      void ask((sentMs) => reserve(Math.min(missing, batchOf(perSecond())), sentMs));
    } else if (!clock.isKnown || (first !== undefined && isSoon(first) && lookAgeMs(nowMs) > FRESH_MS - AHEAD_MS)) {
      void ask(async (sentMs) => {
        const state = await store.look();
        if (state === undefined) clock.settle();
        else accept(state, sentMs);
      });
    }
  }

  async function ask(question: (sentMs: number) => Promise<void>): Promise<void> {
    isAsking = true;
    try {
      await question(performance.now());
      isFailing = false;
    } catch (error) {
      if (!isFailing) telemetry.fault('permits for requests can not be reserved, retrying', error);
      isFailing = true;
      askAgainMs = performance.now() + RETRY_MS;
    } finally {
      isAsking = false;
      wake();
    }
  }

  async function reserve(count: number, sentMs: number): Promise<void> {
    const stepMs = stepMsOf(perSecond());
    const reservation = await store.reserve(count, stepMs);
    const { granted, startMs, nextMs, nowMs } = reservation;
    if (!accept(reservation, sentMs)) return;
    permits.push(...Array.from({ length: granted }, (_, index) => startMs + index * stepMs));
    telemetry.permitsReserved(granted);
    if (granted === 0) askAgainMs = performance.now() + Math.max(RETRY_MS, nextMs - nowMs - MAX_LEAD_MS);
  }

  /** False when the server's clock isn't known long enough: permits of before are dropped then. */
  function accept({ nowMs: serverMs, quietUntilMs }: PermitState, sentMs: number): boolean {
    const receivedMs = performance.now();
    look = { atMs: sentMs, wallMs: Date.now() - (receivedMs - sentMs) };
    const isValid = clock.observe({ serverMs, sentMs, receivedMs });
    if (!isValid) permits = [];
    if (quietUntilMs > serverMs) beQuiet(clock.surelyAfter(quietUntilMs, receivedMs));
    return isValid;
  }

  function beQuiet(endMs: number): void {
    quietEndMs = Math.max(quietEndMs, endMs);
    telemetry.quietAnnounced(quietEndMs - performance.now());
  }

  function announceQuiet(waitMs: number): void {
    const endMs = performance.now() + waitMs;
    beQuiet(endMs);
    void announceUntil(endMs);
  }

  async function announceUntil(endMs: number): Promise<void> {
    while (!stopping.aborted && performance.now() < endMs) {
      try {
        await store.announceQuiet(endMs - performance.now());
        return;
      } catch (error) {
        telemetry.fault('Retry-After can not be announced to other collectors, retrying', error);
        await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
      }
    }
  }

  /** Ends early when the store has answered. */
  function pause(ms: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(() => wake(), Math.ceil(ms));
      wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }
}
