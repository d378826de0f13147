import type { Server } from 'node:http';
import { Server as NetServer, type Socket } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import type { RequestTracker } from './track-requests.ts';

/** Idle connections stay open for this long: a request may be on its way. */
const IDLE_CLOSE_MS = 250;
/** The accept backlog may hold connections that look established to the client and may carry a write. */
const ACCEPT_DRAIN_MS = 100;

/** Stops without failing requests; after `timeoutMs` all connections are destroyed. */
export function gracefulStop(
  server: Server,
  listeners: readonly NetServer[],
  tracker: RequestTracker,
): (timeoutMs: number) => Promise<void> {
  const sockets = new Set<Socket>();
  server.on('connection', (socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });
  const closeIdle = () => {
    server.closeIdleConnections();
    // Node doesn't count a connection without any received byte as idle.
    for (const socket of sockets) if (socket.bytesRead === 0) socket.destroy();
  };

  return async (timeoutMs) => {
    tracker.beginDrain();
    const closingIdle = setInterval(closeIdle, Math.min(IDLE_CLOSE_MS, timeoutMs));
    const deadline = setTimeout(() => {
      for (const socket of sockets) socket.destroy();
    }, timeoutMs);
    await wait(Math.min(ACCEPT_DRAIN_MS, timeoutMs / 2));
    await closeListeners(server, listeners);
    clearInterval(closingIdle);
    clearTimeout(deadline);
  };
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
