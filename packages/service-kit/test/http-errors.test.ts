import { AppError, type ErrorCode } from '@lobbystats/errors';
import { mountPath, sendError, sendJson } from '@lobbystats/service-kit';
import { eventually, getJson } from '@lobbystats/test-kit';
import { startExample, total } from './example-service.ts';

describe('an error', () => {
  it.each<[ErrorCode, number]>([
    ['invalid', 400],
    ['unauthenticated', 401],
    ['forbidden', 403],
    ['not-found', 404],
    ['lookup-failed', 502],
    ['unavailable', 503],
  ])('%s is answered with %i, its message alone, and never stored', async (code, status) => {
    const failing = total(async () => {
      throw new AppError(code, 'In plain words', { cause: new Error('driver at 10.0.0.7') });
    });
    const { url } = await startExample({ routes: [failing] });
    const answer = await getJson(`${url}/total`);
    expect(answer).toMatchObject({ status, body: { error: 'In plain words' } });
    expect(answer.headers.get('cache-control')).toBe('no-store');
    expect(answer.headers.has('retry-after')).toBe(status === 503);
  });

  it('that nobody foresaw says nothing of the inside, and is logged once with its stack', async () => {
    const failing = total(async () => {
      throw new TypeError('undefined is no driver');
    });
    const { url, lines } = await startExample({ routes: [failing] });
    expect(await getJson(`${url}/total`)).toMatchObject({ status: 500, body: { error: 'Internal error' } });
    const errors = await eventually(() => {
      const found = lines.filter(({ level }) => level === 'error');
      expect(found).not.toEqual([]);
      return found;
    });
    expect(errors).toEqual([
      expect.objectContaining({
        operation: 'getTotal',
        path: '/total',
        status: 500,
        error: expect.objectContaining({ stack: expect.stringContaining('http-errors.test') }),
      }),
    ]);
  });

  it.each([null, undefined, 'text', { status: 200 }, { status: 'x' }])(
    'can be anything that is thrown: %p',
    async (thrown) => {
      const { url } = await startExample({ routes: [total(jest.fn().mockRejectedValue(thrown))] });
      expect(await getJson(`${url}/total`)).toMatchObject({ status: 500, body: { error: 'Internal error' } });
    },
  );

  it('takes back the headers of the answer that it replaces', async () => {
    const { url } = await startExample({
      configure: (app) =>
        mountPath(app, '/half', 'half', (_req, res) => {
          res
            .setHeader('ETag', '"x"')
            .setHeader('Content-Encoding', 'gzip')
            .setHeader('Access-Control-Allow-Origin', '*');
          throw new AppError('unavailable', 'Later');
        }),
    });
    const { headers, body } = await getJson(`${url}/half`);
    expect(body).toEqual({ error: 'Later' });
    expect([headers.has('etag'), headers.has('content-encoding')]).toEqual([false, false]);
    expect(headers.get('access-control-allow-origin')).toBe('*');
  });

  it('in the midst of an answer cuts it off', async () => {
    const { url, lines } = await startExample({
      configure: (app) =>
        mountPath(app, '/half', 'half', (_req, res) => {
          res.writeHead(200, { 'Content-Length': 100 });
          res.write('half', () => sendError(res, new Error('the rest is lost')));
        }),
    });
    await expect(getJson(`${url}/half`)).rejects.toThrow();
    await eventually(() =>
      expect(lines).toContainEqual(expect.objectContaining({ operation: 'half', status: 'aborted' })),
    );
  });
});

describe('what no route answers', () => {
  it('is 404 for an unknown path, whatever is in it', async () => {
    const { url } = await startExample();
    for (const path of ['/', '/nowhere', '/__proto__', '/titles', '/TOTAL', '//', '/constructor/prototype']) {
      expect(await getJson(url + path)).toMatchObject({ status: 404, body: { error: 'Unknown route' } });
    }
  });

  it.each(['POST', 'PUT', 'DELETE', 'PATCH'])(
    'is 405 for %s on a known path, and says what is allowed',
    async (method) => {
      const { url } = await startExample();
      for (const path of ['/titles/4d530064/scores', '/healthz']) {
        const answer = await getJson(url + path, { method });
        expect(answer).toMatchObject({ status: 405, body: { error: 'Method not allowed' } });
        expect(answer.headers.get('allow')).toBe('GET, HEAD, OPTIONS');
      }
    },
  );

  it('is nothing but the methods for OPTIONS', async () => {
    const { url } = await startExample();
    const answer = await getJson(`${url}/titles/4d530064/scores`, { method: 'OPTIONS' });
    expect(answer).toMatchObject({ status: 204, body: '' });
    expect(answer.headers.get('allow')).toBe('GET, HEAD, OPTIONS');
  });

  it('is 414 for a URL over 8 KiB', async () => {
    const { url } = await startExample();
    expect(await getJson(`${url}/${'x'.repeat(8 * 1024)}`)).toMatchObject({
      status: 414,
      body: { error: 'The URL is too long' },
    });
  });

  it('goes through what is mounted in front of the routes', async () => {
    const { url } = await startExample({
      configure: (app) => {
        app.use((_req, res, next) => {
          res.setHeader('Access-Control-Allow-Origin', '*');
          next();
        });
        mountPath(app, '/page', 'page', (_req, res) => sendJson(res, 200, 'page'));
      },
    });
    expect(await getJson(`${url}/page`)).toMatchObject({ status: 200, body: 'page' });
    expect((await getJson(`${url}/nowhere`)).headers.get('access-control-allow-origin')).toBe('*');
  });
});
