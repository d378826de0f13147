import { createServer, type Server } from 'node:http';
import { connect, type LookupFunction } from 'node:net';
import { once } from 'node:events';
import { cleanUp } from '@lobbystats/test-kit';
import { roundRobinLookup, type Resolve } from '../src/upstreams/round-robin-lookup.http.ts';

const ADDRESSES = ['127.0.0.1', '127.0.0.2'];

/** Resolves to the same order each time, as the system resolver does. */
const resolve: Resolve = (_hostname, _options, callback) => {
  callback(
    null,
    ADDRESSES.map((address) => ({ address, family: 4 })),
  );
};

async function startServer(host: string, port = 0): Promise<Server> {
  const server = createServer();
  cleanUp(() => server.close());
  server.listen(port, host);
  await once(server, 'listening');
  return server;
}

function portOf(server: Server): number {
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  return address.port;
}

/** The remote addresses of sequential connections. */
async function connectedAddresses(
  lookup: LookupFunction,
  port: number,
  connections: number,
): Promise<(string | undefined)[]> {
  const addresses: (string | undefined)[] = [];
  for (let i = 0; i < connections; i += 1) {
    const socket = connect({ host: 'localhost', port, lookup });
    await once(socket, 'connect');
    addresses.push(socket.remoteAddress);
    socket.destroy();
  }
  return addresses;
}

describe('round-robin DNS lookup', () => {
  it('returns the addresses in rotation', async () => {
    const port = portOf(await startServer('127.0.0.1'));
    await startServer('127.0.0.2', port);
    expect(await connectedAddresses(roundRobinLookup(resolve), port, 4)).toEqual([...ADDRESSES, ...ADDRESSES]);
  });

  it('connects to the address that listens when another does not', async () => {
    const port = portOf(await startServer('127.0.0.2'));
    expect(await connectedAddresses(roundRobinLookup(resolve), port, 4)).toEqual(Array(4).fill('127.0.0.2'));
  });
});

it('round-robin DNS lookup passes on the error for an unknown name', async () => {
  const fault = Object.assign(new Error('no such name'), { code: 'ENOTFOUND' });
  const lookup = roundRobinLookup((_hostname, _options, callback) => callback(fault, []));
  const socket = connect({ host: 'localhost', port: 1, lookup });
  const [error] = await once(socket, 'error').catch((thrown: unknown) => [thrown]);
  expect(error).toBe(fault);
});
