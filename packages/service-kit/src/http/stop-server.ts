import type { Server } from 'node:http';
import { Server as NetServer, type Socket } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import type { Traffic } from './watch-traffic.ts';

/** How long an idle connection stays open for a request that may be on its way, in milliseconds. */
const LINGER_MS = 250;
/** For how long new connections are still accepted: the system has accepted some that the process has not seen. */
const ACCEPT_MS = 100;

/**
 * Stops a server so that no request fails: accepts connections for a moment and then refuses new ones, answers what is in
 * flight or arrives on open connections, each answer its connection's last, then closes idle connections.
 *
 * @returns a function that resolves when every connection is gone; what isn't done after `timeoutMs` is cut off
 */
export function gracefulStop(
  server: Server,
  listeners: readonly NetServer[],
  traffic: Traffic,
): (timeoutMs: number) => Promise<void> {
  const sockets = new Set<Socket>();
  server.on('connection', (socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });
  const closeIdle = () => {
    server.closeIdleConnections();
    // Node takes a connection without a byte so far for one that is sending a request.
    for (const socket of sockets) if (socket.bytesRead === 0) socket.destroy();
  };

  return async (timeoutMs) => {
    traffic.wind();
    const lingering = setInterval(closeIdle, Math.min(LINGER_MS, timeoutMs));
    const deadline = setTimeout(() => {
      for (const socket of sockets) socket.destroy();
    }, timeoutMs);
    await wait(Math.min(ACCEPT_MS, timeoutMs / 2));
    await closeListeners(server, listeners);
    clearInterval(lingering);
    clearTimeout(deadline);
  };
}

/**
 * `http.Server.close` would cut idle connections at once, with a request that is just arriving on one of them, and stop
 * looking for slow requests. Its parent only stops listening.
 */
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
