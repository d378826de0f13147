import type { ServerResponse } from 'node:http';
import type { Strain } from './watch-strain.ts';

/** Why a request is not let in: too many are in flight, or the process runs short of something. */
export type LoadRefusal = 'number' | Strain;

/** So many requests in flight are let in whatever else happens: with these a process does all that it can. */
const ALWAYS = 64;
/** So many at most: each holds its body and its answer. */
const AT_MOST = 1024;

const LOAD = Symbol('the load that it is part of');

interface Loading extends ServerResponse {
  [LOAD]?: Load | undefined;
}

/** How many requests a service has in flight, and whether it takes another. */
export class Load {
  readonly #strain: () => Strain | undefined;
  #inFlight = 0;

  constructor(strain: () => Strain | undefined) {
    this.#strain = strain;
  }

  get inFlight(): number {
    return this.#inFlight;
  }

  /** Why no other request is taken now, if so. */
  refusal(): LoadRefusal | undefined {
    if (this.#inFlight < ALWAYS) return undefined;
    return this.#inFlight >= AT_MOST ? 'number' : this.#strain();
  }

  /** A request has been let in. */
  entered(res: Loading): void {
    this.#inFlight += 1;
    res[LOAD] = this;
  }

  /** It is over. Saying so twice is nothing. */
  left(res: Loading): void {
    if (res[LOAD] !== this) return;
    res[LOAD] = undefined;
    this.#inFlight -= 1;
  }
}

/** Says of an answer that it stays open with next to nothing to do, such as a stream of news: no other waits for its end. */
export function staysOpen(res: Loading): void {
  res[LOAD]?.left(res);
}
