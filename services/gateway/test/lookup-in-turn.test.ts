import { createServer, type Server } from 'node:http';
import { connect, type LookupFunction } from 'node:net';
import { once } from 'node:events';
import { cleanUp } from '@lobbystats/test-kit';
import { lookupInTurn, type Resolve } from '../src/adapters/http/lookup-in-turn.ts';

const OWNERS = ['127.0.0.1', '127.0.0.2'];

/** As the system's: in the same order each time. */
const resolve: Resolve = (_hostname, _options, callback) => {
  callback(
    null,
    OWNERS.map((address) => ({ address, family: 4 })),
  );
};

async function listening(host: string, port = 0): Promise<Server> {
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

/** Whom so many connections reach, one after the other. */
async function reached(lookup: LookupFunction, port: number, connections: number): Promise<(string | undefined)[]> {
  const addresses: (string | undefined)[] = [];
  for (let i = 0; i < connections; i += 1) {
    const socket = connect({ host: 'localhost', port, lookup });
    await once(socket, 'connect');
    addresses.push(socket.remoteAddress);
    socket.destroy();
  }
  return addresses;
}

describe('a name with several addresses', () => {
  it('is each of them in turn', async () => {
    const port = portOf(await listening('127.0.0.1'));
    await listening('127.0.0.2', port);
    expect(await reached(lookupInTurn(resolve), port, 4)).toEqual([...OWNERS, ...OWNERS]);
  });

  it('is the one that listens, where another does not yet, or no more', async () => {
    const port = portOf(await listening('127.0.0.2'));
    expect(await reached(lookupInTurn(resolve), port, 4)).toEqual(Array(4).fill('127.0.0.2'));
  });

  it('is one address to who wants one', async () => {
    const lookup = lookupInTurn(resolve);
    const ask = () =>
      new Promise((answer) => {
        lookup('localhost', {}, (_error, address, family) => answer([address, family]));
      });
    expect([await ask(), await ask()]).toEqual(OWNERS.map((address) => [address, 4]));
  });
});

it('tells why a name is not known', async () => {
  const fault = Object.assign(new Error('no such name'), { code: 'ENOTFOUND' });
  const lookup = lookupInTurn((_hostname, _options, callback) => callback(fault, []));
  const socket = connect({ host: 'localhost', port: 1, lookup });
  const [error] = await once(socket, 'error').catch((thrown: unknown) => [thrown]);
  expect(error).toBe(fault);
});
