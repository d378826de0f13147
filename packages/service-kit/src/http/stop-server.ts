import type { Server } from 'node:http';
import { Server as NetServer, type Socket } from 'node:net';
import type { Traffic } from './watch-traffic.ts';

/** How long an idle connection is kept for a request that may be under way on it, in milliseconds. */
const LINGER_MS = 250;

/**
 * Stops a server so that no request fails: refuses new connections, answers what is in flight or arrives on connections
 * that are open, each answer its connection's last, then closes what is idle.
 *
 * @returns a function that resolves when every connection is gone; what isn't done after `timeoutMs` is cut off
 */
export function gracefulStop(server: Server, traffic: Traffic): (timeoutMs: number) => Promise<void> {
  const sockets = new Set<Socket>();
  server.on('connection', (socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });
  const closeIdle = () => {
    server.closeIdleConnections();
    // Node takes a connection on which nothing has been said yet for one that is sending a request.
    for (const socket of sockets) if (socket.bytesRead === 0) socket.destroy();
  };

  return async (timeoutMs) => {
    const closed = closeListener(server);
    traffic.wind();
    const lingering = setTimeout(
      () => {
        closeIdle();
        // An answer that began before the stop didn't say that it would be the last.
        for (const res of traffic.inFlight) res.once('close', () => setImmediate(closeIdle));
      },
      Math.min(LINGER_MS, timeoutMs),
    );
    const deadline = setTimeout(() => {
      for (const socket of sockets) socket.destroy();
    }, timeoutMs);
    await closed;
    clearTimeout(lingering);
    clearTimeout(deadline);
  };
}

/**
 * `http.Server.close` would cut idle connections at once, with a request that is just arriving on one of them, and stop
 * looking for slow requests. Its parent only stops listening.
 */
function closeListener(server: Server): Promise<void> {
  return new Promise((resolve) => {
    NetServer.prototype.close.call(server, () => {
      server.close();
      resolve();
    });
  });
}
