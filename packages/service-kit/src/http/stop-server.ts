import type { Server } from 'node:http';
import { Server as NetServer } from 'node:net';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { RequestTracker } from './track-requests.ts';

/** Idle connections stay open for this long: a request may be on its way. */
const IDLE_CLOSE_MS = 250;

/** Stops without failing requests; after `timeoutMs` all connections are destroyed. */
export function gracefulStop(
  server: Server,
  listeners: readonly NetServer[],
  tracker: RequestTracker,
): (timeoutMs: number) => Promise<void> {
  const closeIdle = () => {
    server.closeIdleConnections();
    // Node doesn't count a connection without any received byte as idle.
    for (const socket of tracker.connections()) if (socket.bytesRead === 0) socket.destroy();
  };

  return async (timeoutMs) => {
    tracker.beginDrain();
    const deadline = setTimeout(() => {
      for (const socket of tracker.connections()) socket.destroy();
    }, timeoutMs);
    await drainBacklog(listeners, timeoutMs / 2);
    const closingIdle = setInterval(closeIdle, Math.min(IDLE_CLOSE_MS, timeoutMs / 2));
    await closeListeners(server, listeners);
    clearInterval(closingIdle);
    clearTimeout(deadline);
  };
}

/**
 * Accepts the connections of the backlog: they look established to the client and may carry a write. The timeout is for
 * clients that never stop connecting.
 */
async function drainBacklog(listeners: readonly NetServer[], timeoutMs: number): Promise<void> {
  const deadline = performance.now() + timeoutMs;
  let quietTurns = 0;
  const accepted = () => {
    quietTurns = 0;
  };
  for (const listener of listeners) listener.on('connection', accepted);
  // Node accepts one connection per turn of the event loop; the first turn may have accepted before it was counted.
  while (quietTurns < 2 && performance.now() < deadline) {
    quietTurns += 1;
    await nextTurn();
  }
  for (const listener of listeners) listener.off('connection', accepted);
}

/** `net.Server.close`: `http.Server.close` also closes idle connections at once and stops the request timeouts. */
async function closeListeners(server: Server, listeners: readonly NetServer[]): Promise<void> {
  const closing = listeners.map(
    (listener) =>
      new Promise<void>((resolve) => {
        NetServer.prototype.close.call(listener, () => resolve());
      }),
  );
  await Promise.all(closing);
  server.close();
}
