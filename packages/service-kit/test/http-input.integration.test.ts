import { hasCode } from '@lobbystats/contracts/errors';
import { getJson } from '@lobbystats/test-kit';
import fc from 'fast-check';
import { parseQuery, type Route } from '@lobbystats/service-kit';
import { getScores, startExample, total, unknownTitle } from './example-service.ts';

const path = '/titles/4d530064/scores';

/** Returns the parsed query, or the defaults if it is rejected as `invalid`. */
function parseOrDefault(query: string): object {
  try {
    return parseQuery(getScores, `/x?${query}`);
  } catch (error) {
    if (!hasCode(error, 'invalid')) throw error;
    return parseQuery(getScores, '/x');
  }
}

describe('request parameters', () => {
  it('are parsed, decoded once and completed with defaults', async () => {
    const { url } = await startExample();
    expect((await getJson(url + path)).body).toEqual({
      titleId: '4d530064',
      days: 30,
      q: '',
      period: 'today',
      offset: 0,
    });
    const { body } = await getJson(`${url}${path}?days=7&q=Caf%C3%A9+%2B%2525&p%65riod=7d`);
    expect(body).toMatchObject({ days: 7, q: 'Café +%25', period: '7d' });
  });

  it.each([
    ['days=0', 'days must be an integer from 1 to 365'],
    ['days=366', 'days must be an integer from 1 to 365'],
    ['days=', 'days must be an integer from 1 to 365'],
    ['days', 'days must be an integer from 1 to 365'],
    ['days=1.5', 'days must be an integer from 1 to 365'],
    ['days=1e2', 'days must be an integer from 1 to 365'],
    ['days=+7', 'days must be an integer from 1 to 365'],
    ['days=99999999999999999999', 'days must be an integer from 1 to 365'],
    ['days=7&days=7', 'days must be an integer from 1 to 365'],
    ['days=7&d%61ys=8&days=9', 'days must be an integer from 1 to 365'],
    ['offset=100001', 'offset must be an integer from 0 to 100000'],
    ['q=a&q=b', 'q must be given once'],
    ['period=8d', 'period must be one of today, 7d'],
    ['q=%', 'q must be percent-encoded UTF-8'],
    ['q=%FF', 'q must be percent-encoded UTF-8'],
    ['q=%C0%AF', 'q must be percent-encoded UTF-8'],
    ['days=%zz', 'days must be percent-encoded UTF-8'],
  ])('the query ?%s is rejected: %s', async (query, error) => {
    const { url } = await startExample();
    expect(await getJson(`${url}${path}?${query}`)).toMatchObject({ status: 400, body: { error } });
  });

  it.each([
    'x=1&x=2',
    'days[]=1',
    'days%5Bgt%5D=1',
    '__proto__=1',
    '__proto__[days]=1',
    'constructor=1',
    '%=1',
    'x=%FF',
    '%FF=1',
    '&&=&',
  ])('the unknown parameter in ?%s is ignored', async (query) => {
    const { url } = await startExample();
    expect(await getJson(`${url}${path}?${query}`)).toMatchObject({ status: 200, body: { days: 30 } });
    expect({}).not.toHaveProperty('days');
  });

  it.each([unknownTitle, 'nonsense', '4d53006', '__proto__', '%00', '..%2f..%2fetc', '%24gt'])(
    'the title ID %s is answered with 404',
    async (titleId) => {
      const { url } = await startExample();
      expect(await getJson(`${url}/titles/${titleId}/scores`)).toMatchObject({
        status: 404,
        body: { error: 'Unknown title' },
      });
    },
  );

  it.each(['%', '%4', '%zz', '%FF', '%C0%AF', '%ED%A0%80'])('a path with %s is rejected as malformed', async (name) => {
    const { url } = await startExample();
    const { port } = new URL(url);
    for (const anywhere of [`/titles/${name}/scores`, `/nowhere/${name}`]) {
      expect(await getJson(`http://127.0.0.1:${port}${anywhere}`)).toMatchObject({
        status: 400,
        body: { error: 'The path must be percent-encoded UTF-8' },
      });
    }
  });

  it('any query is parsed to known parameters only', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 60 }), (query) => {
        const parsed = parseOrDefault(query);
        expect(Object.keys(parsed).sort()).toEqual(['days', 'offset', 'period', 'q']);
        expect(Object.getPrototypeOf(parsed)).toBe(Object.prototype);
      }),
    );
  });

  it('any text survives encoding and parsing of a query', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'binary' }).filter((text) => text.isWellFormed()),
        (text) => {
          const url = `/x?other=1&q=${encodeURIComponent(text)}#q=2`;
          expect(parseQuery(getScores, url)).toMatchObject({ q: text });
          expect(parseQuery(getScores, `/x?${new URLSearchParams({ q: text }).toString()}`)).toMatchObject({ q: text });
        },
      ),
    );
  });
});

describe('responses of handlers', () => {
  it('a response has Content-Length, Content-Type, ETag and Last-Modified', async () => {
    const { url } = await startExample();
    const { headers, status } = await getJson(url + path);
    expect(status).toBe(200);
    expect(headers.get('content-type')).toBe('application/json; charset=utf-8');
    expect(headers.get('last-modified')).toBe('Mon, 02 Feb 2026 02:40:00 GMT');
    expect(Number(headers.get('content-length'))).toBeGreaterThan(0);
    expect(headers.get('etag')).toMatch(/^"[^"]{16,}"$/);
    expect(headers.has('x-powered-by')).toBe(false);
  });

  it('a HEAD response has the same Content-Length and no body', async () => {
    const { url } = await startExample();
    const got = await getJson(url + path);
    const head = await getJson(url + path, { method: 'HEAD' });
    expect(head).toMatchObject({ status: 200, body: '' });
    expect(head.headers.get('content-length')).toBe(got.headers.get('content-length'));
  });

  it('the Link header keeps the query for the next page', async () => {
    const paged: Route = {
      operation: getScores,
      handler: async ({ params, query }) => ({ body: { ...params, ...query }, next: { offset: 100 } }),
    };
    const { url } = await startExample({ routes: [paged] });
    const { headers } = await getJson(`${url}${path}?q=a%26b&offset=50&x=1`);
    expect(headers.get('link')).toBe('<?q=a%26b&offset=100>; rel="next"');
    expect((await getJson(url + path)).headers.get('link')).toBe('<?offset=100>; rel="next"');
  });

  it('a response that violates its schema is answered with 500 if validation is on', async () => {
    const { url, lines } = await startExample({ routes: [total(async () => 1.5)] });
    expect(await getJson(`${url}/total`)).toMatchObject({ status: 500, body: { error: 'Internal error' } });
    expect(lines.at(-1)).toMatchObject({
      level: 'error',
      error: { message: expect.stringMatching(/getTotal.*schema/) },
    });
    const unchecked = await startExample({ routes: [total(async () => 1.5)], validateResponses: false });
    expect(await getJson(`${unchecked.url}/total`)).toMatchObject({ status: 200, body: { total: 1.5 } });
  });
});
