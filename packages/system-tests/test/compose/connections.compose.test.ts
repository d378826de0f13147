import { request, type IncomingMessage, type OutgoingHttpHeaders } from 'node:http';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { operations } from '@lobbystats/contracts';
import { eventually } from '@lobbystats/test-kit';
import { docker } from '@lobbystats/test-kit/docker';
import { IMAGE } from '../stack/image.ts';
import { compose, gatewayUrl, project, recreateProxy } from './stack.ts';

const PATH = operations.listGames.path;
const LIMIT = 3;
/** The limit of nginx. */
const LARGE_BODIES = 16;
const limited = { CONNECTIONS_PER_ADDRESS: String(LIMIT) };

beforeAll(async () => {
  await compose('up', '-d', '--wait', '--no-recreate');
  await recreateProxy(limited);
});
afterAll(() => recreateProxy());

/** A forged or forwarded client address. */
const forwardedFor = (index: number) => ({ 'x-forwarded-for': `198.51.100.${index + 1}` });

/** An event stream, in flight until it is destroyed. */
async function openStream(headers: OutgoingHttpHeaders): Promise<IncomingMessage> {
  const asked = request(`${gatewayUrl}/api/stream`, { agent: false, headers }).end();
  const [stream] = (await once(asked, 'response')) as [IncomingMessage];
  expect(stream.statusCode).toBe(200);
  stream.on('error', () => undefined);
  return stream;
}

/** Status of a request from another address: the nginx container. */
async function statusFromNginx(): Promise<number> {
  const script = `exec 3<>/dev/tcp/127.0.0.1/8080; printf 'GET ${PATH} HTTP/1.0\r\nHost: nginx\r\n\r\n' >&3; head -n 1 <&3`;
  const [, status] = (await compose('exec', '-T', 'nginx', 'bash', '-c', script)).split(' ');
  return Number(status);
}

it('nginx limits concurrent requests per address, streams included, whatever X-Forwarded-For says', async () => {
  const streams = await Promise.all(Array.from({ length: LIMIT }, (_, index) => openStream(forwardedFor(index))));
  const refused = await fetch(gatewayUrl + PATH, { headers: forwardedFor(LIMIT) });
  expect([refused.status, refused.headers.get('content-type'), refused.headers.get('retry-after')]).toEqual([
    429,
    'application/json; charset=utf-8',
    '5',
  ]);
  expect(await refused.json()).toEqual({ error: 'Too many requests are under way from this address' });
  expect(await statusFromNginx()).toBe(200);
  for (const stream of streams) stream.destroy();
  await eventually(async () => expect((await fetch(gatewayUrl + PATH)).status).toBe(200));
});

it('clients behind a trusted proxy are limited by their forwarded address', async () => {
  const networks = '10.0.0.0/8,172.16.0.0/12,192.168.0.0/16';
  await recreateProxy({ ...limited, REAL_IP_FROM: networks });
  const streams = await Promise.all(Array.from({ length: LIMIT }, () => openStream(forwardedFor(0))));
  const statusOf = async (index: number) => (await fetch(gatewayUrl + PATH, { headers: forwardedFor(index) })).status;
  expect([await statusOf(0), await statusOf(1)]).toEqual([429, 200]);
  for (const stream of streams) stream.destroy();
  const inNetwork = (network: string, host: number) => ({ 'x-forwarded-for': `2001:db8:a0a:${network}::${host}` });
  const ipv6 = await Promise.all(Array.from({ length: LIMIT }, (_, host) => openStream(inNetwork('a', host + 1))));
  const statusIn = async (network: string) =>
    (await fetch(gatewayUrl + PATH, { headers: inNetwork(network, 99) })).status;
  expect([await statusIn('a'), await statusIn('b')]).toEqual([429, 200]);
  for (const stream of ipv6) stream.destroy();
});

it('nginx limits the concurrent large bodies of an address, and has the headers of the gateway on its own errors', async () => {
  await recreateProxy();
  const { port, hostname } = new URL(gatewayUrl);
  const head = `POST ${operations.searchByRanks.path} HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 60000\r\n\r\n{`;
  const sockets = Array.from({ length: LARGE_BODIES + 1 }, () => connect(Number(port), hostname));
  const refused = sockets.map(async (socket) => {
    socket.on('error', () => undefined).write(head);
    const [response] = (await once(socket.resume(), 'data')) as [Buffer];
    return response.toString();
  });
  expect(await Promise.race(refused)).toMatch(/^HTTP\/1\.1 429 /);
  const statuses = await Promise.all([PATH, PATH].map(async (path) => (await fetch(gatewayUrl + path)).status));
  expect(statuses).toEqual([200, 200]);
  for (const socket of sockets) socket.destroy();
  for (const [accept, type] of [
    ['application/json', 'application/json; charset=utf-8'],
    ['text/html', 'text/html; charset=utf-8'],
  ] as const) {
    const { status, headers } = await fetch(`${gatewayUrl}/refused.json`, { headers: { accept } });
    expect([status, headers.get('content-type')]).toEqual([404, type]);
    expect([headers.get('x-content-type-options'), headers.get('content-security-policy')]).toEqual([
      'nosniff',
      "default-src 'none'; frame-ancestors 'none'",
    ]);
  }
});

/** Opens as many requests as it is told, reads them when all have begun, and prints how many responses came whole. */
const SLOW_READERS = `
  const { get } = require('http');
  const begun = Array.from({ length: Number(process.argv[1]) }, () =>
    new Promise((resolve) => get('http://nginx:8080/docs/swagger-ui-bundle.js', { agent: false }, resolve)));
  const end = (response) => new Promise((resolve) =>
    response.resume().on('error', () => undefined).once('close', () => resolve(response.complete)));
  Promise.all(begun)
    .then((responses) => Promise.all(responses.map(end)))
    .then((whole) => console.log(whole.filter(Boolean).length));
`;

it('the slow readers of one address have room for their responses', async () => {
  await recreateProxy();
  // Small receive buffers, so that nginx has what is not read.
  const small = ['--rm', '--network', `${project}_public`, '--sysctl', 'net.ipv4.tcp_rmem=4096 4096 8192'];
  expect(await docker(['run', ...small, IMAGE, 'node', '-e', SLOW_READERS, '100'])).toBe('100');
});

it('nginx disconnects clients that send their requests slowly, and serves others meanwhile', async () => {
  await recreateProxy();
  const { port, hostname } = new URL(gatewayUrl);
  const begun = [
    'G',
    `GET ${PATH} HTTP/1.1\r\nHost: x\r\nX-Slow: `,
    `POST ${operations.searchByRanks.path} HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 900\r\n\r\n{`,
  ];
  const sockets = begun.flatMap((text) =>
    Array.from({ length: 10 }, () =>
      connect(Number(port), hostname, function (this: Socket) {
        this.write(text);
      }),
    ),
  );
  const closed = sockets.map(async (socket) => once(socket.on('error', () => undefined).resume(), 'close'));
  expect((await fetch(gatewayUrl + PATH)).status).toBe(200);
  await Promise.all(closed);
  expect((await fetch(gatewayUrl + PATH)).status).toBe(200);
});
