import { doAsTold } from './do-as-told.ts';
import { LoadConnection } from './load-connection.ts';
import type { Load, LoadResult } from './load.ts';

/** A paced load that has fallen so far behind that its connections can't take more. */
const BACKLOG_MAX = 100_000;

doAsTold((command) => {
  const load = command as Load;
  return load.perSecond === undefined ? sendAsAnswered(load) : sendAsDue(load, load.perSecond);
});

/** Each connection sends the next request as soon as it has its answer. */
async function sendAsAnswered(load: Load): Promise<LoadResult> {
  const { requests, refusal, seconds } = load;
  const { promise: over, resolve, reject } = Promise.withResolvers<undefined>();
  const connections = connectionsOf(load, reject);
  const timer = setTimeout(() => resolve(undefined), seconds * 1000);
  const began = beginning();
  let answers = 0;
  // One turn for all: what differs from request to request is asked for once, not once by each connection.
  let next = 0;
  for (const connection of connections) {
    const ask = () => {
      connection.ask(requests[next] ?? '', answered);
      next = (next + 1) % requests.length;
    };
    const answered = (status: number) => {
      if (isAnswer(load, status)) {
        answers += 1;
        ask();
      } else if (status === refusal) ask();
      else reject(new Error(`answered with ${status}`));
    };
    ask();
  }
  try {
    await over;
    return { answers, latenciesMs: [], refused: [], ...since(began) };
  } finally {
    clearTimeout(timer);
    for (const connection of connections) connection.close();
  }
}

/** Requests are sent when they are due; one that finds no connection free waits, and its latency grows. */
async function sendAsDue(load: Load, perSecond: number): Promise<LoadResult> {
  const { requests, refusal, seconds } = load;
  const { promise: over, resolve, reject } = Promise.withResolvers<undefined>();
  const free = connectionsOf(load, reject);
  const all = [...free];
  const total = Math.round(seconds * perSecond);
  const latenciesMs = new Array<number>(total).fill(0);
  const refused = new Array<boolean>(total).fill(false);
  const waiting: { index: number; dueMs: number }[] = [];
  let [due, ended] = [0, 0];

  const send = (connection: LoadConnection, { index, dueMs }: { index: number; dueMs: number }) => {
    connection.ask(requests[index % requests.length] ?? '', (status) => {
      if (!isAnswer(load, status) && status !== refusal) reject(new Error(`answered with ${status}`));
      latenciesMs[index] = performance.now() - dueMs;
      refused[index] = !isAnswer(load, status);
      ended += 1;
      if (ended === total) resolve(undefined);
      const next = waiting.shift();
      if (next === undefined) free.push(connection);
      else send(connection, next);
    });
  };
  const began = beginning();
  const tick = setInterval(() => {
    // What fell due since the last tick counts from this one: the timer's own coarseness is nobody's latency.
    const now = performance.now();
    for (; due < Math.min(total, ((now - began.ms) / 1000) * perSecond); due += 1) {
      const connection = free.shift();
      const request = { index: due, dueMs: now };
      if (connection === undefined) waiting.push(request);
      else send(connection, request);
    }
    if (waiting.length > BACKLOG_MAX) reject(new Error('the server does not keep up'));
  }, 1);
  try {
    await over;
    const answers = refused.filter((wasRefused) => !wasRefused).length;
    return { answers, latenciesMs, refused, ...since(began) };
  } finally {
    clearInterval(tick);
    for (const connection of all) connection.close();
  }
}

function isAnswer({ status, alsoAnswered }: Load, given: number): boolean {
  return given === status || given === alsoAnswered;
}

function connectionsOf({ port, connections }: Load, onFault: (error: Error) => void): LoadConnection[] {
  return Array.from({ length: connections }, () => new LoadConnection(port, onFault));
}

function beginning() {
  return { ms: performance.now(), beganAtMs: Date.now(), cpu: process.cpuUsage() };
}

function since({ ms, beganAtMs, cpu }: ReturnType<typeof beginning>) {
  const { user, system } = process.cpuUsage(cpu);
  return { seconds: (performance.now() - ms) / 1000, cpuSeconds: (user + system) / 1e6, beganAtMs };
}
