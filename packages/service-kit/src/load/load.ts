import type { ServerResponse } from 'node:http';
import type { Pressure } from './monitor-pressure.ts';

/** Requests in flight that are always accepted: enough to use a whole process. */
const ALWAYS_ACCEPTED = 64;
/** Hard limit: each request holds its body and its response in memory. */
const IN_FLIGHT_MAX = 1024;

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
    return this.#inFlight >= IN_FLIGHT_MAX ? 'concurrency' : this.#pressure();
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
