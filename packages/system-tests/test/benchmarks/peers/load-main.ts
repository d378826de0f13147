import { LoadConnection } from './load-connection.ts';
import type { Load, LoadResult } from './load.ts';

/** Requests that a paced load may lag behind. */
const BACKLOG_MAX = 100_000;

// An error ends this process, and with it the benchmark.
process.on('message', (load: Load) => {
  const sent = load.perSecond === undefined ? sendClosedLoop(load) : sendOpenLoop(load, load.perSecond);
  void sent.then((result) => process.send?.(result));
});

/** Closed loop: each connection sends the next request after its response. */
async function sendClosedLoop(load: Load): Promise<LoadResult> {
  const { requests, rejectionStatus, seconds } = load;
  const { promise: over, resolve, reject } = Promise.withResolvers<undefined>();
  const connections = connectionsOf(load, reject);
  const timer = setTimeout(() => resolve(undefined), seconds * 1000);
  const beganMs = performance.now();
  let responses = 0;
  // Shared by all connections, so that each distinct request is sent once per cycle, not once per connection.
  let next = 0;
  for (const connection of connections) {
    const ask = () => {
      connection.send(requests[next] ?? '', answered);
      next = (next + 1) % requests.length;
    };
    const answered = (status: number) => {
      if (isAccepted(load, status)) {
        responses += 1;
        ask();
      } else if (status === rejectionStatus) ask();
      else reject(new Error(`answered with ${status}`));
    };
    ask();
  }
  try {
    await over;
    return { responses, latenciesMs: [], seconds: (performance.now() - beganMs) / 1000 };
  } finally {
    clearTimeout(timer);
    for (const connection of connections) connection.close();
  }
}

/** Open loop: requests are sent when due; one without a free connection waits, which adds to its latency. */
async function sendOpenLoop(load: Load, perSecond: number): Promise<LoadResult> {
  const { requests, rejectionStatus, seconds } = load;
  const { promise: over, resolve, reject } = Promise.withResolvers<undefined>();
  const free = connectionsOf(load, reject);
  const all = [...free];
  const total = Math.round(seconds * perSecond);
  const latenciesMs = new Array<number>(total).fill(0);
  let responses = 0;
  const waiting: { index: number; dueMs: number }[] = [];
  let [due, ended] = [0, 0];

  const send = (connection: LoadConnection, { index, dueMs }: { index: number; dueMs: number }) => {
    connection.send(requests[index % requests.length] ?? '', (status) => {
      if (!isAccepted(load, status) && status !== rejectionStatus) reject(new Error(`answered with ${status}`));
      latenciesMs[index] = performance.now() - dueMs;
      if (isAccepted(load, status)) responses += 1;
      ended += 1;
      if (ended === total) resolve(undefined);
      const next = waiting.shift();
      if (next === undefined) free.push(connection);
      else send(connection, next);
    });
  };
  const beganMs = performance.now();
  const tick = setInterval(() => {
    // Due times are rounded up to the tick, so that timer resolution does not count as latency.
    const now = performance.now();
    for (; due < Math.min(total, ((now - beganMs) / 1000) * perSecond); due += 1) {
      const connection = free.shift();
      const request = { index: due, dueMs: now };
      if (connection === undefined) waiting.push(request);
      else send(connection, request);
    }
    if (waiting.length > BACKLOG_MAX) reject(new Error('the server does not keep up'));
  }, 1);
  try {
    await over;
    return { responses, latenciesMs, seconds: (performance.now() - beganMs) / 1000 };
  } finally {
    clearInterval(tick);
    for (const connection of all) connection.close();
  }
}

function isAccepted({ status, alsoAccepted }: Load, responseStatus: number): boolean {
  return responseStatus === status || responseStatus === alsoAccepted;
}

function connectionsOf({ port, connections }: Load, onFault: (error: Error) => void): LoadConnection[] {
  return Array.from({ length: connections }, () => new LoadConnection(port, onFault));
}
