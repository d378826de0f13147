import { request, type IncomingMessage, type OutgoingHttpHeaders } from 'node:http';
import { once } from 'node:events';
import { connect } from 'node:net';
import { operations } from '@lobbystats/contracts';
import { eventually } from '@lobbystats/test-kit';
import { docker } from '../stack/docker.ts';
import { compose, gateway, project, published } from './stack.ts';

const PATH = operations.listGames.path;
const LIMIT = 3;
const settings = (values: Readonly<Record<string, string>>, ...services: string[]) =>
  docker([...project, 'up', '-d', '--wait', '--no-deps', ...services], values);

beforeAll(async () => {
  await compose('up', '-d', '--wait', '--no-recreate');
  await settings({ CONNECTIONS_PER_ADDRESS: String(LIMIT) }, 'nginx', 'analysts');
}, 300_000);
afterAll(() => settings({}, 'nginx', 'analysts'));

/** What a client says of its own address, or a proxy of its client's. */
const from = (index: number) => ({ 'x-forwarded-for': `198.51.100.${index + 1}` });

/** A live stream, which stays under way until it is destroyed. */
async function openStream(headers: OutgoingHttpHeaders): Promise<IncomingMessage> {
  const asked = request(`${gateway}/api/stream`, { agent: false, headers }).end();
  const [stream] = (await once(asked, 'response')) as [IncomingMessage];
  expect(stream.statusCode).toBe(200);
  stream.on('error', () => undefined);
  return stream;
}

/** A request from another address than this machine's: from nginx's own container. */
async function statusElsewhere(): Promise<number> {
  const script = `exec 3<>/dev/tcp/127.0.0.1/8080; printf 'GET ${PATH} HTTP/1.0\r\nHost: nginx\r\n\r\n' >&3; head -n 1 <&3`;
  const [, status] = (await compose('exec', '-T', 'nginx', 'bash', '-c', script)).split(' ');
  return Number(status);
}

it('one address has so many requests under way and no more, streams included, whatever it says of itself', async () => {
  const streams = await Promise.all(Array.from({ length: LIMIT }, (_, index) => openStream(from(index))));
  const refused = await fetch(gateway + PATH, { headers: from(LIMIT) });
  expect([refused.status, refused.headers.get('content-type'), refused.headers.get('retry-after')]).toEqual([
    429,
    'application/json; charset=utf-8',
    '5',
  ]);
  expect(await refused.json()).toEqual({ error: 'Too many requests are under way from this address' });
  expect(await statusElsewhere()).toBe(200);
  for (const stream of streams) stream.destroy();
  await eventually(async () => expect((await fetch(gateway + PATH)).status).toBe(200));
});

it('the analysts’ endpoint has the same limit', async () => {
  const endpoint = new URL(await published('analysts', 8087));
  const ping = async () => (await fetch(new URL('/ping', endpoint))).status;
  // Requests whose bodies do not come: they are under way until nginx gives up waiting.
  const head = 'POST /query HTTP/1.1\r\nHost: analysts\r\nContent-Length: 10\r\n\r\n';
  const sockets = Array.from({ length: LIMIT }, () => connect(Number(endpoint.port), endpoint.hostname));
  // Read from, so that a connection that is closed is seen to be.
  for (const socket of sockets)
    socket
      .on('error', () => undefined)
      .resume()
      .write(head);
  await eventually(async () => expect(await ping()).toBe(429));
  for (const socket of sockets) socket.destroy();
  await eventually(async () => expect(await ping()).toBe(204));
});

it('clients of a trusted proxy are counted by the addresses that it names', async () => {
  const networks = '10.0.0.0/8,172.16.0.0/12,192.168.0.0/16';
  await settings({ CONNECTIONS_PER_ADDRESS: String(LIMIT), REAL_IP_FROM: networks }, 'nginx');
  const streams = await Promise.all(Array.from({ length: LIMIT }, () => openStream(from(0))));
  const statusOf = async (index: number) => (await fetch(gateway + PATH, { headers: from(index) })).status;
  expect([await statusOf(0), await statusOf(1)]).toEqual([429, 200]);
  for (const stream of streams) stream.destroy();
});
