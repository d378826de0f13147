import { Agent, request } from 'node:http';

/** What became of a request, in the order in which they were sent. */
export interface Outcome {
  readonly path: string;
  /** 0: no answer came. */
  readonly status: number;
  readonly ms: number;
  /** Why no answer came: `ECONNREFUSED` when it was never taken. */
  readonly failure?: string;
  /** Epoch milliseconds. */
  readonly sentAt: number;
}

export interface LoadOptions {
  readonly url: string;
  /** The path of each request, by its number. */
  readonly path: (index: number) => string;
  /** Requests a second that are sent whether others are answered or not; undefined: each connection asks again at once. */
  readonly perSecond?: number;
  /** Connections at most. */
  readonly connections: number;
  /** Ends it. */
  readonly signal: AbortSignal;
  /** Told of each outcome as it comes. */
  readonly onOutcome: (outcome: Outcome) => unknown;
}

const TICK_MS = 10;

/** Sends requests over kept connections until it is told to stop; resolves when the last one is answered. */
export async function load(options: LoadOptions): Promise<void> {
  const agent = new Agent({ keepAlive: true, maxSockets: options.connections });
  let index = 0;
  const ask = async (): Promise<void> => {
    index += 1;
    options.onOutcome(await askOnce(options.url, options.path(index), agent));
  };
  if (options.perSecond === undefined) {
    const askAgain = async (): Promise<void> => {
      while (!options.signal.aborted) await ask();
    };
    await Promise.all(Array.from({ length: options.connections }, askAgain));
  } else {
    await paced(ask, options.perSecond, options.signal);
  }
  agent.destroy();
}

/** So many a second on the average, however late a tick is. */
async function paced(ask: () => Promise<void>, perSecond: number, signal: AbortSignal): Promise<void> {
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

function askOnce(url: string, path: string, agent: Agent): Promise<Outcome> {
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

/** How many of each status, and of each failure. */
export function countsOf(outcomes: readonly Outcome[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { status, failure } of outcomes) {
    const key = failure ?? String(status);
    counts[key] = (counts[key] ?? 0) + 1;
  }
  return counts;
}
