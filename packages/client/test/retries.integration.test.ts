import type { IncomingMessage, ServerResponse } from 'node:http';
import { ApiError, ConnectionError, type ClientOptions } from '../src/index.ts';
import { clientOf, json } from './client-of.ts';

type Answer = (req: IncomingMessage, res: ServerResponse) => void;

/** A client whose server gives these answers in turn; the last one is repeated. */
async function clientWith(answers: readonly [Answer, ...Answer[]], options?: Partial<ClientOptions>) {
  let count = 0;
  return clientOf((req, res) => {
    const answer = answers[count] ?? answers.at(-1);
    count += 1;
    answer?.(req, res);
  }, options);
}

const ok = json({ games: [] });
const refused = (status: number, retryAfter?: string) =>
  json({ error: 'Try again soon' }, status, retryAfter === undefined ? {} : { 'Retry-After': retryAfter });
const lost: Answer = (req) => req.socket.destroy();
const truncated: Answer = (_req, res) => {
  res.writeHead(200, { 'Content-Type': 'application/json', 'Content-Length': '100' }).write('{"games":[', () => {
    res.destroy();
  });
};

describe('client retries', () => {
  it.each([
    ['429 with Retry-After', refused(429, '0')],
    ['503 with Retry-After', refused(503, '0')],
    ['503 with a date in Retry-After', refused(503, new Date(0).toUTCString())],
    ['a lost connection', lost],
    ['a truncated response', truncated],
  ])('a GET is repeated after %s', async (_name, fault) => {
    const { client, seen } = await clientWith([fault, ok]);
    expect(await client.listGames()).toEqual({ games: [] });
    expect(seen).toHaveLength(2);
  });

  it('a write is repeated after 429', async () => {
    const { client, seen } = await clientWith([refused(429, '0'), ok]);
    await client.rateProfile({ username: 'Fox', body: { stars: 4 } });
    expect(seen.map(({ body }) => body)).toEqual(['{"stars":4}', '{"stars":4}']);
  });

  it.each([
    ['503', refused(503, '0'), ApiError],
    ['a lost connection', lost, ConnectionError],
  ])('a write is not repeated after %s, because it may have been carried out', async (_name, fault, error) => {
    const { client, seen } = await clientWith([fault, ok]);
    await expect(client.rateProfile({ username: 'Fox', body: { stars: 4 } })).rejects.toThrow(error);
    expect(seen).toHaveLength(1);
  });

  it.each([
    ['500', refused(500, '0')],
    ['404', refused(404)],
    ['503 without Retry-After', refused(503)],
    ['503 with a Retry-After of an hour', refused(503, '3600')],
    ['a page of a proxy', (_req: IncomingMessage, res: ServerResponse) => void res.writeHead(502).end('<h1>Bad</h1>')],
  ])('a GET is not repeated after %s', async (_name, fault) => {
    const { client, seen } = await clientWith([fault, ok]);
    await expect(client.listGames()).rejects.toThrow();
    expect(seen).toHaveLength(1);
  });

  it.each([
    [{}, 3],
    [{ retries: 1 }, 2],
    [{ retries: 0 }, 1],
  ])('with the options %j a request is sent %i times at most', async (options, times) => {
    const { client, seen } = await clientWith([refused(503, '0')], options);
    await expect(client.listGames()).rejects.toMatchObject({ status: 503, retryAfterSeconds: 0 });
    expect(seen).toHaveLength(times);
  });

  it('an abort ends the delay before a retry', async () => {
    const controller = new AbortController();
    const reason = new Error('enough');
    const { client, seen } = await clientWith([
      (req, res) => {
        refused(503, '29')(req, res);
        res.on('close', () => controller.abort(reason));
      },
    ]);
    await expect(client.listGames({}, { signal: controller.signal })).rejects.toBe(reason);
    expect(seen).toHaveLength(1);
  });
});
