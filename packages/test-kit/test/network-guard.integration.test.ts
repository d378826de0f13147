import { createServer, get, type Server } from 'node:http';
import { connect, createServer as createTcpServer, type AddressInfo, type Socket } from 'node:net';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect as connectTls } from 'node:tls';
import { once } from 'node:events';
import { guardNetwork } from '../src/network-guard.ts';

// Reserved for documentation: no machine has these addresses, no zone these names.
const OUTSIDE = '192.0.2.1';

describe('the network guard', () => {
  const guard = guardNetwork();
  let server: Server;
  let port: number;

  beforeAll(async () => {
    server = createServer((_request, response) => response.end('here'));
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    port = (server.address() as AddressInfo).port;
  });

  afterAll(() => {
    server.close();
    server.closeAllConnections();
  });

  it.each<[string, string, () => Promise<unknown>]>([
    ['node:net by address', `${OUTSIDE}:81`, () => failure(connect(81, OUTSIDE))],
    ['node:net by name', 'outside.example:81', () => failure(connect({ port: 81, host: 'outside.example' }))],
    ['IPv6', '2001:db8::1:81', () => failure(connect({ port: 81, host: '2001:db8::1' }))],
    ['an address in decimal', '3221225985:81', () => failure(connect(81, '3221225985'))],
    ['TLS', 'outside.example:443', () => failure(connectTls({ port: 443, host: 'outside.example' }))],
    [
      'node:http',
      'outside.example:80',
      () => once(get('http://outside.example/'), 'error').then(([error]) => error as unknown),
    ],
    [
      'fetch',
      `${OUTSIDE}:80`,
      () => fetch(`http://${OUTSIDE}/`).then(undefined, (error: unknown) => (error as Error).cause),
    ],
  ])('refuses outgoing connections of %s', async (_way, target, leave) => {
    expect(await leave()).toMatchObject({ message: `Tests must not open external connections: ${target}` });
    expect(guard.takeRefused()).toEqual([target]);
  });

  it.each(['127.0.0.1', 'localhost'])('allows HTTP to %s', async (host) => {
    expect(await (await fetch(`http://${host}:${port}/`)).text()).toBe('here');
    expect(guard.takeRefused()).toEqual([]);
  });

  it('allows Unix sockets', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'guard-'));
    const listener = createTcpServer((socket) => socket.end('here')).listen(join(folder, 'socket'));
    await once(listener, 'listening');
    const socket = connect(join(folder, 'socket'));
    const [bytes] = (await once(socket, 'data')) as [Buffer];
    expect(bytes.toString()).toBe('here');
    listener.close();
    rmSync(folder, { recursive: true });
  });

  it('is installed once', () => {
    expect(guardNetwork()).toBe(guard);
  });
});

async function failure(socket: Socket): Promise<unknown> {
  const [error] = (await once(socket, 'error')) as [unknown];
  return error;
}
