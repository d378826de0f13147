import type { IncomingMessage, ServerResponse } from 'node:http';
import { clientOf, json } from './client-of.ts';

type Answer = (req: IncomingMessage, res: ServerResponse) => void;

const frame = (id: string, topic: string, data: unknown) =>
  `event: ${topic}\nid: ${id}\ndata: ${JSON.stringify(data)}\n\n`;

/** A response of the stream: the chunks, then the end of the connection unless it stays open. */
const stream =
  (chunks: readonly string[], end: 'ends' | 'is lost' | 'stays open'): Answer =>
  (_req, res) => {
    res.writeHead(200, { 'Content-Type': 'text/event-stream' });
    res.write(`retry: 20\n\n${chunks.join('')}`, () => {
      if (end === 'ends') res.end();
      if (end === 'is lost') res.destroy();
    });
  };

/** A client of a server with these responses in turn. */
async function streamClient(...answers: readonly Answer[]) {
  let count = 0;
  return clientOf((req, res) => {
    answers[count]?.(req, res);
    count += 1;
  });
}

describe('client events', () => {
  it.each(['ends', 'is lost'] as const)('continue after the last event when the connection %s', async (end) => {
    const { client, seen } = await streamClient(
      stream([frame('1-1', 'online', { online: 1 }), frame('1-2', 'online', { online: 2 })], end),
      json({ error: 'Try again soon' }, 503, { 'Retry-After': '0' }),
      stream([frame('1-3', 'online', { online: 3 })], 'stays open'),
    );
    const received: number[] = [];
    for await (const event of client.events(['online'])) {
      if (event.topic === 'online') received.push(event.data.online);
      if (received.length === 3) break;
    }
    expect(received).toEqual([1, 2, 3]);
    expect(seen.map(({ url, headers }) => [url, headers['last-event-id']])).toEqual([
      ['/api/stream?topics=online', undefined],
      ['/api/stream?topics=online', '1-2'],
      ['/api/stream?topics=online', '1-2'],
    ]);
  });

  it('begin after lastEventId, and yield a reset', async () => {
    const { client, seen } = await streamClient(stream([frame('2-9', 'reset', {})], 'stays open'));
    for await (const event of client.events(['changes'], { lastEventId: '1-1' })) {
      expect(event).toEqual({ topic: 'reset', data: {}, id: '2-9' });
      break;
    }
    expect(seen[0]?.headers['last-event-id']).toBe('1-1');
  });

  it('decode a character that two chunks share', async () => {
    const bytes = Buffer.from(frame('1-1', 'matches', { hostName: 'Ümlaut' }));
    const middle = bytes.indexOf(0xc3) + 1;
    const { client } = await streamClient((_req, res) => {
      res.writeHead(200, { 'Content-Type': 'text/event-stream' });
      res.write(bytes.subarray(0, middle), () => void setImmediate(() => res.write(bytes.subarray(middle))));
    });
    for await (const event of client.events(['matches'])) {
      expect(event.data).toEqual({ hostName: 'Ümlaut' });
      break;
    }
    expect.assertions(1);
  });

  it('close the connection on break', async () => {
    let closed: () => void;
    const isClosed = new Promise<void>((resolve) => {
      closed = resolve;
    });
    const { client } = await streamClient((req, res) => {
      res.on('close', () => closed());
      stream([frame('1-1', 'now', {})], 'stays open')(req, res);
    });
    const ids: string[] = [];
    for await (const { id } of client.events(['now'])) {
      ids.push(id);
      break;
    }
    await isClosed;
    expect(ids).toEqual(['1-1']);
  });

  it.each([
    ['an open connection', stream([], 'stays open')],
    ['the delay before it reconnects', json({ error: 'Try again soon' }, 503, { 'Retry-After': '29' })],
  ])('an abort ends %s with the reason of the signal', async (_name, answer) => {
    const controller = new AbortController();
    const reason = new Error('enough');
    const { client } = await streamClient((req, res) => {
      answer(req, res);
      setImmediate(() => controller.abort(reason));
    });
    await expect(client.events(['now'], { signal: controller.signal }).next()).rejects.toBe(reason);
  });

  it('throw the ApiError of a rejected request', async () => {
    const { client, seen } = await streamClient(json({ error: 'topics must be …' }, 400));
    await expect(client.events(['nothing' as 'now']).next()).rejects.toMatchObject({ name: 'ApiError', status: 400 });
    expect(seen).toHaveLength(1);
  });
});
