import type { Server } from 'node:http';
import { createServer, type Server as NetServer, type Socket } from 'node:net';
import { listen, type Address } from './listen.ts';
import { listenOnSharedSocket } from './shared-socket.ts';

/** Everything that accepts connections for an HTTP server. */
export interface Listeners {
  readonly all: readonly NetServer[];
  /** Listens at all of them, and gives the TCP port. @throws StartError when one of them can't be had */
  open(address: Address): Promise<number>;
}

/** Connections that came by the Unix socket: a proxy on this machine opened them. */
const fromProxy = new WeakSet<Socket>();

/** Whether a proxy opened this connection, by the Unix socket it shares with this process. */
export function isFromProxy(socket: Socket): boolean {
  return fromProxy.has(socket);
}

/** @param socketDirectory where a proxy expects a Unix socket, beside the TCP port; undefined: nowhere */
export function listenersOf(server: Server, socketDirectory: string | undefined): Listeners {
  if (socketDirectory === undefined) return { all: [server], open: (address) => listen(server, address) };
  // With the options of an HTTP server's own connections.
  const unix = createServer({ allowHalfOpen: true }, (socket) => {
    fromProxy.add(socket);
    server.emit('connection', socket);
  });
  return {
    all: [server, unix],
    open: async (address) => {
      const port = await listen(server, address);
      await listenOnSharedSocket(unix, socketDirectory);
      return port;
    },
  };
}
