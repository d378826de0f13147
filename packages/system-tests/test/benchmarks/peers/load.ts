import { cpuSecondsOf, startProgram, type Core, type BenchProcess } from './bench-process.ts';

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
  /** CPU time of the load process. */
  cpuSeconds: number;
  /** Epoch milliseconds. */
  beganAtMs: number;
  /** Latency of each request from its due time, in that order; open loop only. */
  latenciesMs: number[];
  /** Whether each request was rejected, in the same order. */
  rejected: boolean[];
}

export interface LoadMeasurement {
  /** CPU time of the server per request. */
  cpuMicroseconds: number;
  requestsPerSecond: number;
  /** Utilization of the cores, 0 to 1: a server below 1 was not the limit. */
  serverShare: number;
  loadShare: number;
}

/** Starts a process that sends requests, until the stack is disposed. */
export function startLoad(stack: AsyncDisposableStack, core: Core = 'load'): BenchProcess {
  return startProgram('load-main.ts', core, stack);
}

/** @throws Error for a response whose status is neither accepted nor a rejection */
export async function sendLoad(process: BenchProcess, load: Load): Promise<LoadResult> {
  return (await process.request(load)) as LoadResult;
}

/** Saturates a server and measures its CPU time. */
export async function loadServer(process: BenchProcess, serverPid: number, load: Load): Promise<LoadMeasurement> {
  const before = cpuSecondsOf(serverPid);
  const { responses, seconds, cpuSeconds } = await sendLoad(process, load);
  const serverCpu = cpuSecondsOf(serverPid) - before;
  return {
    cpuMicroseconds: (serverCpu / responses) * 1e6,
    requestsPerSecond: responses / seconds,
    serverShare: serverCpu / seconds,
    loadShare: cpuSeconds / seconds,
  };
}

export function requestOf(path: string, headers: Readonly<Record<string, string>> = {}): string {
  const lines = Object.entries({ Host: 'bench', Accept: '*/*', 'User-Agent': 'bench', ...headers });
  return [`GET ${path} HTTP/1.1`, ...lines.map(([name, value]) => `${name}: ${value}`), '', ''].join('\r\n');
}
