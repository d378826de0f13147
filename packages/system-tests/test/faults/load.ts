import { Agent, request } from 'node:http';

/** The outcome of a request. */
export interface Outcome {
  readonly path: string;
  /** 0: no response. */
  readonly status: number;
  readonly ms: number;
  /** Reason without a response: `ECONNREFUSED` when the request was never accepted. */
  readonly failure?: string;
  /** Epoch milliseconds. */
  readonly sentAt: number;
}

export interface LoadOptions {
  readonly url: string;
  /** The path of a request by its index. */
  readonly path: (index: number) => string;
  /** Open-loop request rate; undefined: each connection sends its next request after a response. */
  readonly perSecond?: number;
  /** Maximum number of connections. */
  readonly connections: number;
  /** Stops the load. */
  readonly signal: AbortSignal;
  /** Called with each outcome. */
  readonly onOutcome: (outcome: Outcome) => unknown;
}

const TICK_MS = 10;

/** Sends requests over keep-alive connections until aborted. Resolves after the last response. */
export async function load(options: LoadOptions): Promise<void> {
  const agent = new Agent({ keepAlive: true, maxSockets: options.connections });
  let index = 0;
  const ask = async (): Promise<void> => {
    index += 1;
    options.onOutcome(await requestOnce(options.url, options.path(index), agent));
  };
  if (options.perSecond === undefined) {
    const askAgain = async (): Promise<void> => {
      while (!options.signal.aborted) await ask();
    };
    await Promise.all(Array.from({ length: options.connections }, askAgain));
  } else {
    await runPaced(ask, options.perSecond, options.signal);
  }
  agent.destroy();
}

/** Keeps the average rate even when ticks are late. */
async function runPaced(ask: () => Promise<void>, perSecond: number, signal: AbortSignal): Promise<void> {
  const open = new Set<Promise<void>>();
  const began = performance.now();
  let sent = 0;
  const { promise, resolve } = Promise.withResolvers<undefined>();
  const timer = setInterval(() => {
    if (signal.aborted) {
      clearInterval(timer);
      resolve(undefined);
      return;
    }
    const due = ((performance.now() - began) / 1000) * perSecond;
    for (; sent < due; sent += 1) {
      const asked: Promise<void> = ask().finally(() => open.delete(asked));
      open.add(asked);
    }
  }, TICK_MS);
  await promise;
  await Promise.all(open);
}

function requestOnce(url: string, path: string, agent: Agent): Promise<Outcome> {
  const sentAt = Date.now();
  const began = performance.now();
  return new Promise((resolve) => {
    const end = (status: number, failure?: string): void => {
      resolve({ path, status, ms: performance.now() - began, sentAt, ...(failure !== undefined && { failure }) });
    };
    request(url + path, { agent }, (response) => {
      response.resume();
      response.once('end', () => end(response.statusCode ?? 0));
      response.once('error', (error: NodeJS.ErrnoException) => end(0, error.code ?? error.message));
    })
      .once('error', (error: NodeJS.ErrnoException) => end(0, error.code ?? error.message))
      .end();
  });
}

/** Counts outcomes by status or failure. */
export function countByOutcome(outcomes: readonly Outcome[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { status, failure } of outcomes) {
    const key = failure ?? String(status);
    counts[key] = (counts[key] ?? 0) + 1;
  }
  return counts;
}
