import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { formatInstant, operations, slotStored, streamEvents } from '@lobbystats/contracts';
import { cleanUp, eventually } from '@lobbystats/test-kit';
import { Agent, request } from 'undici';
import { UPDATE_TIMING } from '@lobbystats/site';
import { today } from './day.ts';
import { requestCount } from './running-cache.ts';
import { runGateway } from './running-gateway.ts';

const READERS = 5000;
const HTML = { Accept: 'text/html', 'Accept-Encoding': 'gzip' };

/** Follows the topic `online` as an open page does. @param onSlot called at each event */
async function openStream(url: string, onSlot: () => void): Promise<Socket> {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  cleanUp(() => socket.destroy());
  socket.on('error', () => undefined);
  await once(socket, 'connect');
  socket.write(`GET ${streamEvents.path}?topics=online HTTP/1.1\r\nHost: localhost\r\n\r\n`);
  await once(socket, 'data');
  socket.on('data', (chunk: Buffer) => {
    if (chunk.includes('event: online')) onSlot();
  });
  return socket;
}

it('5,000 open pages get a new slot from the cache: each upstream is asked once', async () => {
  const known = today();
  const gateway = await runGateway({ network: known, env: { CACHE_BYTES: '100000000' } });
  const agent = new Agent({ connections: 200 });
  cleanUp(() => agent.close());
  const readPage = async (tag: string) => {
    const { statusCode, headers, body } = await request(gateway.url, {
      dispatcher: agent,
      headers: { ...HTML, 'If-None-Match': tag },
    });
    await body.dump();
    return { statusCode, tag: String(headers['etag']) };
  };
  const before = await readPage('');
  const answers: Promise<Awaited<ReturnType<typeof readPage>>>[] = [];
  const update = async () => {
    const { afterMs, spreadMs } = UPDATE_TIMING;
    const due = Promise.withResolvers<undefined>();
    setTimeout(() => due.resolve(undefined), afterMs + Math.random() * spreadMs);
    await due.promise;
    return readPage(before.tag);
  };
  for (let opened = 0; opened < READERS; opened += 250) {
    await Promise.all(Array.from({ length: 250 }, () => openStream(gateway.url, () => void answers.push(update()))));
  }
  const asked = requestCount(gateway.series, operations.getNow.path);
  known.online.at(-1)!.online_count = 4321;
  await gateway.bus.publish(slotStored, { slot: formatInstant(known.newest), online: 4321, lobbies: null });
  await eventually(() => expect(answers).toHaveLength(READERS));
  const received = await Promise.all(answers);
  expect(received.filter(({ statusCode }) => statusCode !== 200)).toEqual([]);
  expect(new Set(received.map(({ tag }) => tag)).size).toBe(1);
  expect(requestCount(gateway.series, operations.getNow.path) - asked).toBe(1);
});
