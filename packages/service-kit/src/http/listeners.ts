import type { Server } from 'node:http';
import { createServer, type Server as NetServer, type Socket } from 'node:net';
import { listen, type Address } from './listen.ts';
import { listenOnSharedSocket } from './shared-socket.ts';

export interface Listeners {
  readonly all: readonly NetServer[];
  /** @returns the TCP port. @throws StartError */
  open(address: Address): Promise<number>;
}

const proxySockets = new WeakSet<Socket>();

export function isFromProxy(socket: Socket): boolean {
  return proxySockets.has(socket);
}

export function createListeners(server: Server, socketDirectory: string | undefined): Listeners {
  if (socketDirectory === undefined) return { all: [server], open: (address) => listen(server, address) };
  // The option that HTTP servers use for their own connections.
  const unix = createServer({ allowHalfOpen: true }, (socket) => {
    proxySockets.add(socket);
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
