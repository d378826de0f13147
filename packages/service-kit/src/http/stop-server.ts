import type { Server } from 'node:http';
import { Server as NetServer, type Socket } from 'node:net';
import { emptyTurn } from './empty-turn.ts';
import { Roster } from './roster.ts';
import type { Traffic } from './watch-traffic.ts';

/** How long an idle connection is kept for a request that may be under way on it, in milliseconds. */
const LINGER_MS = 250;
/** How long to wait at most until nobody stands at the door, in milliseconds. */
const DOORSTEP_MS = 100;

/**
 * Stops a server so that no request fails: takes in who has come already and then refuses new connections, answers what is in
 * flight or arrives on connections that are open, each answer its connection's last, then closes what is idle.
 *
 * @returns a function that resolves when every connection is gone; what isn't done after `timeoutMs` is cut off
 */
export function gracefulStop(
  server: Server,
  listeners: readonly NetServer[],
  traffic: Traffic,
): (timeoutMs: number) => Promise<void> {
  const sockets = new Roster<Socket>();
  let comers = 0;
  server.on('connection', (socket) => {
    comers += 1;
    socket.once('close', sockets.enter(socket));
  });
  const closeIdle = () => {
    server.closeIdleConnections();
    // Node takes a connection on which nothing has been said yet for one that is sending a request.
    for (const socket of sockets) if (socket.bytesRead === 0) socket.destroy();
  };

  return async (timeoutMs) => {
    traffic.wind();
    // Who stands there has a connection already, as they see it, and has perhaps sent a request that must not be sent twice.
    const atMostMs = Math.min(DOORSTEP_MS, timeoutMs / 2);
    const closed = emptyTurn(atMostMs, () => comers).then(() => closeListeners(server, listeners));
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
