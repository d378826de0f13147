import { once } from 'node:events';
import { createServer, type Server as NetServer } from 'node:net';
import type { Server } from 'node:http';
import { listen, type Address } from './listen.ts';

/** So many take in a thousand callers within 64 turns. */
const DOORS = 16;

/** All that listens for a server. */
export interface Doors {
  /** The server itself, and what brings it more. */
  readonly all: readonly NetServer[];
  /** Listens at all of them, and gives the port. @throws StartError when the address can't be had */
  open(address: Address): Promise<number>;
}

/**
 * Gives a server more doors at one address, where the system shares callers out among them: Node takes in one connection a turn
 * at each, and when there is much to do a turn is long. With one door a crowd would have to wait for minutes.
 */
export function doorsOf(server: Server, isCrowdExpected: boolean): Doors {
  if (!isCrowdExpected || process.platform !== 'linux') {
    return { all: [server], open: (address) => listen(server, address) };
  }
  const others = Array.from({ length: DOORS - 1 }, () =>
    // As a server of HTTP has its connections.
    createServer({ allowHalfOpen: true, noDelay: true }, (socket) => {
      server.emit('connection', socket);
    }),
  );
  return {
    all: [server, ...others],
    open: async (address) => {
      if (address.port !== 0) await expectFree(address);
      const port = await listen(server, address, { reusePort: true });
      await Promise.all(others.map((door) => listen(door, { ...address, port }, { reusePort: true })));
      return port;
    },
  };
}

/** Who shares an address shares it with every process that does. @throws StartError when somebody listens there */
async function expectFree(address: Address): Promise<void> {
  const alone = createServer();
  await listen(alone, address);
  alone.close();
  await once(alone, 'close');
}
