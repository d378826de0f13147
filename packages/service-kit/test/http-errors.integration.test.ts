import { AppError, type ErrorCode } from '@lobbystats/contracts/errors';
import { mountPath, sendError, sendJson } from '@lobbystats/service-kit';
import { eventually, getJson } from '@lobbystats/test-kit';
import { startExample, total } from './example-service.ts';

describe('error responses', () => {
  it.each<[ErrorCode, number]>([
    ['invalid', 400],
    ['unauthenticated', 401],
    ['forbidden', 403],
    ['not-found', 404],
    ['lookup-failed', 502],
    ['unavailable', 503],
  ])('the code %s is answered with %i, the message and no-store', async (code, status) => {
    const failing = total(async () => {
      throw new AppError(code, 'In plain words', { cause: new Error('driver at 10.0.0.7') });
    });
    const { url } = await startExample({ routes: [failing] });
    const answer = await getJson(`${url}/total`);
    expect(answer).toMatchObject({ status, body: { error: 'In plain words' } });
    expect(answer.headers.get('cache-control')).toBe('no-store');
    expect(answer.headers.has('retry-after')).toBe(status === 503);
  });

  it('an unexpected error is answered with 500 without details and logged once with its stack', async () => {
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
        error: expect.objectContaining({ stack: expect.stringContaining('http-errors.integration.test') }),
      }),
    ]);
  });

  it.each([null, undefined, 'text', { status: 200 }, { status: 'x' }])(
    'any thrown value is answered with 500: %p',
    async (thrown) => {
      const { url } = await startExample({ routes: [total(jest.fn().mockRejectedValue(thrown))] });
      expect(await getJson(`${url}/total`)).toMatchObject({ status: 500, body: { error: 'Internal error' } });
    },
  );

  it('an error removes ETag and Content-Encoding of the response that it replaces', async () => {
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

  it('an error after the head aborts the response', async () => {
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

describe('unmatched requests', () => {
  it('an unknown path is answered with 404', async () => {
    const { url } = await startExample();
    for (const path of ['/', '/nowhere', '/__proto__', '/titles', '/TOTAL', '//', '/constructor/prototype']) {
      expect(await getJson(url + path)).toMatchObject({ status: 404, body: { error: 'Unknown route' } });
    }
  });

  it.each(['POST', 'PUT', 'DELETE', 'PATCH'])('%s on a known path is answered with 405 and Allow', async (method) => {
    const { url } = await startExample();
    for (const path of ['/titles/4d530064/scores', '/healthz']) {
      const answer = await getJson(url + path, { method });
      expect(answer).toMatchObject({ status: 405, body: { error: 'Method not allowed' } });
      expect(answer.headers.get('allow')).toBe('GET, HEAD, OPTIONS');
    }
  });

  it('OPTIONS is answered with 204 and Allow', async () => {
    const { url } = await startExample();
    const answer = await getJson(`${url}/titles/4d530064/scores`, { method: 'OPTIONS' });
    expect(answer).toMatchObject({ status: 204, body: '' });
    expect(answer.headers.get('allow')).toBe('GET, HEAD, OPTIONS');
  });

  it('a URL over 8 KiB is answered with 414', async () => {
    const { url } = await startExample();
    expect(await getJson(`${url}/${'x'.repeat(8 * 1024)}`)).toMatchObject({
      status: 414,
      body: { error: 'The URL is too long' },
    });
  });

  it('middleware that configure mounts runs before the routes', async () => {
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
