import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';

/** A load over keep-alive connections with one request at a time. */
export interface Load {
  port: number;
  connections: number;
  seconds: number;
  /** Whole requests, sent cyclically. */
  requests: readonly string[];
  /** Expected status. */
  status: number;
  /** A second accepted status. */
  alsoAccepted?: number;
  /** Status of rejections by an overloaded server. */
  rejectionStatus?: number;
  /** Open loop with this many requests per second. Default: closed loop. */
  perSecond?: number;
}

export interface LoadResult {
  /** Responses with an accepted status. */
  responses: number;
  seconds: number;
  /** Latency of each request from its due time, in that order; open loop only. */
  latenciesMs: number[];
}

/** Sends a load, one at a time. Rejects for a response whose status is neither accepted nor a rejection. */
export type SendLoad = (load: Load) => Promise<LoadResult>;

/** Starts a process that sends requests, until the stack is disposed. */
export function startLoad(stack: AsyncDisposableStack): SendLoad {
  const child = fork(join(import.meta.dirname, 'load-main.ts'));
  const ended = once(child, 'exit').then(([code]: unknown[]) => {
    throw new Error(`the process that sends requests ended with ${String(code)}`);
  });
  ended.catch(() => undefined);
  stack.defer(() => void child.kill('SIGKILL'));
  return async (load) => {
    child.send(load);
    const [result] = (await Promise.race([once(child, 'message'), ended])) as [LoadResult];
    return result;
  };
}

export function requestOf(path: string, headers: Readonly<Record<string, string>> = {}): string {
  const lines = Object.entries({ Host: 'bench', Accept: '*/*', 'User-Agent': 'bench', ...headers });
  return [`GET ${path} HTTP/1.1`, ...lines.map(([name, value]) => `${name}: ${value}`), '', ''].join('\r\n');
}
