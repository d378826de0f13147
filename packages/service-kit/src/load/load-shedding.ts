import type { IncomingMessage, ServerResponse } from 'node:http';
import { totalmem } from 'node:os';
import { requestIdOf } from '../context/work-context.ts';
import { JSON_TYPE } from '../http/send-response.ts';
import { serverLimits } from '../http/server-limits.ts';
import type { Metrics } from '../metrics/create-metrics.ts';

interface LoadSheddingOptions {
  metrics: Metrics;
  defaultHeaders: Readonly<Record<string, string>>;
  isExempt: (url: string | undefined) => boolean;
}

const BODY = JSON.stringify({ error: 'Too much to do at the moment, try again soon' });

/**
 * Limits requests in flight, event loop utilization and memory. The returned function is false if it has rejected a request;
 * it expects the number of those in flight.
 */
export function loadShedding({ metrics, defaultHeaders, isExempt }: LoadSheddingOptions) {
  const pressure = monitorPressure({
    utilization: utilizationSinceLastCall(),
    usedBytes: () => process.memoryUsage.rss(),
    limitBytes: memoryLimit(),
    now: () => performance.now(),
  });
  const refused = metrics.counter('requests_shed_total', 'Requests refused because there was too much to do', [
    'reason',
  ]);
  const headers = Object.entries({
    ...defaultHeaders,
    'Content-Type': JSON_TYPE,
    'Content-Length': String(BODY.length),
    'Cache-Control': 'no-store',
    'Retry-After': '1',
  }).flat();
  return (req: IncomingMessage, res: ServerResponse, inFlight: number, isLast: boolean): boolean => {
    const reason = rejectionReason(inFlight, pressure);
    if (reason === undefined || isExempt(req.url)) return true;
    refused.inc({ reason });
    const requestId = requestIdOf(req.headers['x-request-id']);
    const close = isLast ? ['Connection', 'close'] : [];
    res.writeHead(503, [...headers, 'X-Request-Id', requestId, ...close]).end(BODY, 'latin1');
    return false;
  };
}

function utilizationSinceLastCall(): () => number {
  let before = performance.eventLoopUtilization();
  return () => {
    const now = performance.eventLoopUtilization();
    const { utilization } = performance.eventLoopUtilization(now, before);
    before = now;
    return utilization;
  };
}

function memoryLimit(): number {
  const constrained = process.constrainedMemory();
  return constrained > 0 ? Math.min(constrained, totalmem()) : totalmem();
}

/** Requests in flight that are always accepted: enough to use a whole process. */
const ALWAYS_ACCEPTED = 64;

export function rejectionReason(
  inFlight: number,
  pressure: () => Pressure | undefined,
): 'concurrency' | Pressure | undefined {
  if (inFlight < ALWAYS_ACCEPTED) return undefined;
  return inFlight >= serverLimits.inFlightMax ? 'concurrency' : pressure();
}

export type Pressure = 'event_loop' | 'memory';

interface PressureSources {
  utilization: () => number;
  usedBytes: () => number;
  limitBytes: number;
  /** Monotonic clock in milliseconds. */
  now: () => number;
}

/** Sampling interval: long enough that a burst is processed within one. */
const SAMPLE_MS = 1000;
/** Hysteresis of the event loop utilization. */
const BUSY = 0.92;
const STILL_BUSY = 0.75;
const MEMORY_RATIO_MAX = 0.9;

/**
 * Measures utilization, not loop delay: with many short ticks the delay is small, and still all requests wait. A call samples
 * what was since the last sample, at most once a second.
 */
export function monitorPressure({ utilization, usedBytes, limitBytes, now }: PressureSources) {
  let isBusy = false;
  let isFull = false;
  let sampledMs = now();
  return (): Pressure | undefined => {
    const nowMs = now();
    if (nowMs - sampledMs >= SAMPLE_MS) {
      sampledMs = nowMs;
      isBusy = utilization() > (isBusy ? STILL_BUSY : BUSY);
      isFull = usedBytes() > limitBytes * MEMORY_RATIO_MAX;
    }
    if (isFull) return 'memory';
    return isBusy ? 'event_loop' : undefined;
  };
}
