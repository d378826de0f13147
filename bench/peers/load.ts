import { cpuSecondsOf, startProgram, type Core, type OwnProcess } from './own-process.ts';

/** What the load sends, over connections that stay open, each with one request at a time. */
export interface Load {
  port: number;
  connections: number;
  seconds: number;
  /** Whole requests, sent in turn. */
  requests: readonly string[];
  /** What each has to be answered with. */
  status: number;
  /** What counts as an answer, too. */
  alsoAnswered?: number;
  /** What an overloaded server may refuse it with. */
  refusal?: number;
  /** Requests a second, whatever becomes of those before; without it, each connection sends as soon as it has its answer. */
  perSecond?: number;
}

/** What came of a load. */
export interface LoadResult {
  /** Those with the status that was expected. */
  answers: number;
  seconds: number;
  /** Processor time that the load itself took, in seconds. */
  cpuSeconds: number;
  /** When it began, in epoch milliseconds. */
  beganAtMs: number;
  /** Of each request in the order in which they were due, from then on; only where they were paced. */
  latenciesMs: number[];
  /** Which of them were refused, in the same order. */
  refused: boolean[];
}

/** What serves, and what it costs it. */
export interface Loaded {
  /** Processor time of the server for a request, in microseconds. */
  cpuMicroseconds: number;
  requestsPerSecond: number;
  /** How much of a core each had, 0 to 1: a server that had less than all of its own could have answered more. */
  serverShare: number;
  loadShare: number;
}

/** A process that sends requests, on a core of its own unless told otherwise; it ends with the stack. */
export function startLoad(stack: AsyncDisposableStack, core: Core = 'load'): OwnProcess {
  return startProgram('load-main.ts', core, stack);
}

/** Sends a load. @throws Error when any answer has a status that is neither expected nor a refusal */
export async function sendLoad(process: OwnProcess, load: Load): Promise<LoadResult> {
  return (await process.ask(load)) as LoadResult;
}

/** Loads a server as much as it bears, and measures what that costs it. */
export async function loadServer(process: OwnProcess, serverPid: number, load: Load): Promise<Loaded> {
  const before = cpuSecondsOf(serverPid);
  const { answers, seconds, cpuSeconds } = await sendLoad(process, load);
  const serverCpu = cpuSecondsOf(serverPid) - before;
  return {
    cpuMicroseconds: (serverCpu / answers) * 1e6,
    requestsPerSecond: answers / seconds,
    serverShare: serverCpu / seconds,
    loadShare: cpuSeconds / seconds,
  };
}

/** A whole GET as it is sent. */
export function requestOf(path: string, headers: Readonly<Record<string, string>> = {}): string {
  const lines = Object.entries({ Host: 'bench', Accept: '*/*', 'User-Agent': 'bench', ...headers });
  return [`GET ${path} HTTP/1.1`, ...lines.map(([name, value]) => `${name}: ${value}`), '', ''].join('\r\n');
}
