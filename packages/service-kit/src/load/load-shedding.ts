import type { IncomingMessage, Server, ServerResponse } from 'node:http';
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

/** Limits requests in flight, event loop utilization and memory. The returned function is false if it has rejected a request. */
export function loadShedding(server: Server, { metrics, defaultHeaders, isExempt }: LoadSheddingOptions) {
  const pressure = monitorPressure({
    utilization: utilizationSinceLastCall(),
    usedBytes: () => process.memoryUsage.rss(),
    limitBytes: memoryLimit(),
  });
  const load = new Load(() => pressure.current());
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
  let ticking: NodeJS.Timeout | undefined;
  server.on('listening', () => {
    ticking = setInterval(() => pressure.tick(), TICK_MS).unref();
  });
  server.on('close', () => clearInterval(ticking));
  return (req: IncomingMessage, res: ServerResponse, isLast: boolean): boolean => {
    const reason = load.rejection();
    if (reason === undefined || isExempt(req.url)) {
      load.add(res);
      res.once('close', () => load.remove(res));
      return true;
    }
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

const LOAD = Symbol('load');

interface CountedResponse extends ServerResponse {
  [LOAD]?: Load | undefined;
}

export class Load {
  readonly #pressure: () => Pressure | undefined;
  #inFlight = 0;

  constructor(pressure: () => Pressure | undefined) {
    this.#pressure = pressure;
  }

  get inFlight(): number {
    return this.#inFlight;
  }

  rejection(): 'concurrency' | Pressure | undefined {
    if (this.#inFlight < ALWAYS_ACCEPTED) return undefined;
    return this.#inFlight >= serverLimits.inFlightMax ? 'concurrency' : this.#pressure();
  }

  add(res: CountedResponse): void {
    this.#inFlight += 1;
    res[LOAD] = this;
  }

  remove(res: CountedResponse): void {
    if (res[LOAD] !== this) return;
    res[LOAD] = undefined;
    this.#inFlight -= 1;
  }
}

/** Excludes a long-lived, nearly idle response such as an event stream from the load. */
export function excludeFromLoad(res: CountedResponse): void {
  res[LOAD]?.remove(res);
}

export type Pressure = 'event_loop' | 'memory';

interface PressureSources {
  utilization: () => number;
  usedBytes: () => number;
  limitBytes: number;
}

/** Sampling interval: long enough that a burst is processed within one. */
const TICK_MS = 1000;
/** Hysteresis of the event loop utilization. */
const BUSY = 0.92;
const STILL_BUSY = 0.75;
const MEMORY_RATIO_MAX = 0.9;

/** Measures utilization, not loop delay: with many short ticks the delay is small, and still all requests wait. */
export function monitorPressure({ utilization, usedBytes, limitBytes }: PressureSources) {
  let isBusy = false;
  let isFull = false;
  return {
    current: (): Pressure | undefined => {
      if (isFull) return 'memory';
      return isBusy ? 'event_loop' : undefined;
    },
    tick: () => {
      isBusy = utilization() > (isBusy ? STILL_BUSY : BUSY);
      isFull = usedBytes() > limitBytes * MEMORY_RATIO_MAX;
    },
  };
}
