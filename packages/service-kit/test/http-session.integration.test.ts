import { operation, username } from '@lobbystats/contracts';
import { AppError } from '@lobbystats/contracts/errors';
import { createLogger, route, type Sessions } from '@lobbystats/service-kit';
import { getJson } from '@lobbystats/test-kit';
import fc from 'fast-check';
import { z } from 'zod';
import { makeExample, startExample } from './example-service.ts';

const params = z.object({ username });
const base = { upstream: 'user-api', audience: 'public', query: z.object({}), tags: [] } as const;

const praise = operation({
  ...base,
  id: 'praise',
  summary: 'Praises somebody',
  method: 'POST',
  alias: 'PATCH',
  path: '/people/:username/praise',
  session: 'required',
  params,
  body: z.strictObject({
    words: z.string(),
    link: z.union([z.literal(''), z.null(), z.strictObject({ url: z.string() })]).optional(),
  }),
  response: z.strictObject({ by: z.string(), of: z.string(), words: z.string() }),
});

const getPraise = operation({
  ...base,
  id: 'getPraise',
  summary: 'Who is praised, and who asks',
  method: 'GET',
  path: '/people/:username/praise',
  session: 'optional',
  params,
  response: z.strictObject({ viewer: z.string().nullable() }),
});

const routes = [
  route(praise, async ({ caller, params, body }) => ({
    body: { by: caller.username, of: params.username, words: body.words },
  })),
  route(getPraise, async ({ caller }) => ({ body: { viewer: caller?.username ?? null } })),
];

const GOOD = 'g00d-KEY;with,"marks"';
const DOWN = 'd0wn-KEY';

/** Accepts one key and records all verified keys in `asked`. */
function sessionsOf(asked: string[] = []): Sessions {
  return {
    verify: async (key, need) => {
      asked.push(`${need} ${key}`);
      if (key === DOWN && need === 'required') throw new AppError('unavailable', 'Not now');
      return key === GOOD ? { username: 'EmberFox' } : undefined;
    },
  };
}

const JSON_TYPE = { 'Content-Type': 'application/json' };
const sendPraise = (
  url: string,
  body: string | undefined,
  headers: Record<string, string> = {},
  { method = 'POST', who = 'Marlow' } = {},
) =>
  getJson(`${url}/people/${who}/praise`, {
    method,
    headers: { ...JSON_TYPE, ...headers },
    ...(body !== undefined && { body }),
  });
const key = (value: string) => ({ 'X-Session-Key': value });

describe('an operation with a required session', () => {
  it.each(['POST', 'PATCH'])('accepts the key in the header or in the body: %s', async (method) => {
    const { url } = await startExample({ routes, sessions: sessionsOf() });
    const answer = { status: 200, body: { by: 'EmberFox', of: 'Marlow', words: 'Good!' } };
    expect(await sendPraise(url, '{"words":"Good!"}', key(GOOD), { method })).toMatchObject(answer);
    const inBody = JSON.stringify({ sessionKey: GOOD, words: 'Good!' });
    expect(await sendPraise(url, inBody, {}, { method })).toMatchObject(answer);
    expect(await sendPraise(url, inBody, key(''), { method })).toMatchObject(answer);
  });

  it('prefers the key of the header', async () => {
    const asked: string[] = [];
    const { url } = await startExample({ routes, sessions: sessionsOf(asked) });
    expect((await sendPraise(url, '{"sessionKey":"other","words":""}', key(GOOD))).status).toBe(200);
    expect((await sendPraise(url, JSON.stringify({ sessionKey: GOOD, words: '' }), key('other'))).status).toBe(401);
    expect(asked).toEqual([`required ${GOOD}`, 'required other']);
  });

  const large = `{"words":"${'x'.repeat(70_000)}"}`;
  it.each<[number, string, string, Record<string, string>, string, string?]>([
    [413, 'The body must be at most 64 KiB', 'too long', {}, large],
    [413, 'The body must be at most 64 KiB', 'too long, with a bad key', key('bad'), large],
    [415, 'Content-Type must be application/json', 'no JSON by its label', { 'Content-Type': 'text/plain' }, '{'],
    [415, 'Content-Type must be application/json', 'the same', { ...key('bad'), 'Content-Type': 'x/y' }, '{}'],
    [400, 'sessionKey is required', 'without a key', {}, '{}'],
    [400, 'sessionKey is required', 'without a key, and a bad name', {}, '{"nonsense":1}', '%24gt'],
    [400, 'sessionKey is required', 'an empty key', key(''), '{"sessionKey":""}'],
    [400, 'sessionKey is required', 'no object', {}, '[]'],
    [400, 'sessionKey is required', 'null', {}, 'null'],
    [400, 'sessionKey is required', 'a key in its prototype', {}, '{"__proto__":{"sessionKey":"x"}}'],
    [400, 'The body must be JSON in UTF-8', 'no JSON, and no key in the header', {}, '{"sessionKey":"x"'],
    [400, 'sessionKey must be a text', 'a key that asks', {}, '{"sessionKey":{"$gt":""}}'],
    [400, 'sessionKey must be a text', 'keys', {}, '{"sessionKey":["a"]}'],
    [401, 'Invalid session', 'a bad key in the header, no JSON', key('bad'), '{'],
    [401, 'Invalid session', 'a bad key in the body, all else too', {}, '{"sessionKey":"bad","x":1}', '%24gt'],
    [503, 'Not now', 'a key that nobody can tell of, all else bad', key(DOWN), '{', '%24gt'],
    [400, 'The body must be JSON in UTF-8', 'no JSON, and a good key', key(GOOD), '{'],
    [400, 'username must be 1 to 32 letters, digits, spaces or . _ -', 'a bad name', key(GOOD), '{"x":1}', '%24gt'],
    [400, 'words must be a text', 'no words', key(GOOD), '{}'],
    [400, 'The body must be an object', 'a list', key(GOOD), '[]'],
    [400, 'x is not known', 'a field too many', key(GOOD), '{"words":"","x":1}'],
    [400, 'a b is not known', 'a field with a line end', key(GOOD), '{"words":"","a\\r\\nb":1}'],
    [400, 'SessionKey is not known', 'a field that nearly is one', key(GOOD), '{"words":"","SessionKey":"a"}'],
    [400, '__proto__ is not known', 'a prototype', key(GOOD), '{"words":"","__proto__":{}}'],
    [400, 'link.x is not known', 'a field too many inside', key(GOOD), '{"words":"","link":{"url":"","x":1}}'],
    [400, 'link must be an object', 'a field of no kind', key(GOOD), '{"words":"","link":5}'],
    [400, 'sessionKey must be a text', 'a key in the body that is none', key(GOOD), '{"words":"","sessionKey":1}'],
  ])('answers %i %s to a body that is %s', async (status, error, _what, headers, body, who = 'Marlow') => {
    const { url } = await startExample({ routes, sessions: sessionsOf() });
    expect(await sendPraise(url, body, headers, { who })).toMatchObject({ status, body: { error } });
  });

  it.each([
    ['the key itself', GOOD, '… is not known'],
    ['a name with it', `my-${GOOD}-${'x'.repeat(70)}`, `my-…-${'x'.repeat(59)}… is not known`],
  ])('never quotes the key in the message when an unknown field is %s', async (_what, name, error) => {
    const { url } = await startExample({ routes, sessions: sessionsOf() });
    for (const [body, headers] of [
      [{ words: '', [name]: 1 }, key(GOOD)],
      [{ sessionKey: GOOD, words: '', [name]: 1 }, {}],
    ] as const) {
      expect(await sendPraise(url, JSON.stringify(body), headers)).toMatchObject({ status: 400, body: { error } });
    }
  });

  it('truncates the name of an unknown field in the message', async () => {
    const { url } = await startExample({ routes, sessions: sessionsOf() });
    const { body } = await sendPraise(url, JSON.stringify({ words: '', ['n'.repeat(50_000)]: 1 }), key(GOOD));
    expect(body).toEqual({ error: `${'n'.repeat(64)}… is not known` });
  });

  it('lists its alias method in Allow', async () => {
    const { url } = await startExample({ routes, sessions: sessionsOf() });
    const { status, headers } = await getJson(`${url}/people/x/praise`, { method: 'PUT' });
    expect([status, headers.get('allow')]).toEqual([405, 'POST, PATCH, GET, HEAD, OPTIONS']);
  });
});

describe('an operation with an optional session', () => {
  it('reads the key of the header only, and runs without a caller if it is invalid', async () => {
    const asked: string[] = [];
    const { url } = await startExample({ routes, sessions: sessionsOf(asked) });
    const viewer = async (headers: Record<string, string>, query = '') =>
      (await getJson(`${url}/people/Marlow/praise${query}`, { headers })).body;
    expect(await viewer(key(GOOD))).toEqual({ viewer: 'EmberFox' });
    for (const headers of [{}, key(''), key('bad'), key(DOWN)]) expect(await viewer(headers)).toEqual({ viewer: null });
    expect(await viewer({}, `?sessionKey=${encodeURIComponent(GOOD)}`)).toEqual({ viewer: null });
    expect(asked).toEqual([`optional ${GOOD}`, 'optional bad', `optional ${DOWN}`]);
  });
});

describe('a malformed session key', () => {
  it.each(['x'.repeat(4097), 'a b', 'schlüssel', 'tab\there'])(
    'is rejected without asking the auth service: %#',
    async (text) => {
      const asked: string[] = [];
      const { url } = await startExample({ routes, sessions: sessionsOf(asked) });
      const body = JSON.stringify({ words: '', sessionKey: text });
      expect(await sendPraise(url, body)).toMatchObject({ status: 401, body: { error: 'Invalid session' } });
      const headers = key(Buffer.from(text).toString('latin1'));
      expect((await sendPraise(url, '{"words":""}', headers)).status).toBe(401);
      expect(await sendPraise(url, undefined, headers, { method: 'GET' })).toMatchObject({
        status: 200,
        body: { viewer: null },
      });
      expect(asked).toEqual([]);
    },
  );
});

describe('a service with sessions', () => {
  it('cannot be created without a session verifier if a route uses a session', () => {
    expect(() => makeExample({ routes })).toThrow(/praise uses a session/);
  });

  it('never logs a session key, whether a request succeeds or fails', async () => {
    const printed: string[] = [];
    const write = (line: string) => printed.push(line);
    const logger = createLogger({ service: 'example', level: 'debug', format: 'json', write });
    const failing = route(praise, async () => {
      throw new Error('lost');
    });
    const [, reading] = routes;
    const { url } = await startExample({ routes: [failing, reading!], sessions: sessionsOf(), logger });
    for (const secret of [GOOD, DOWN, 'bad-KEY']) {
      await sendPraise(url, '{"words":""}', key(secret));
      await sendPraise(url, JSON.stringify({ sessionKey: secret, words: '' }));
      await sendPraise(url, `{"sessionKey":${JSON.stringify(secret)}`);
      await getJson(`${url}/people/x/praise?sessionKey=${encodeURIComponent(secret)}`, { headers: key(secret) });
      await getJson(`${url}/nowhere?sessionKey=${encodeURIComponent(secret)}`);
      logger.warn('by hand', {
        headers: key(secret),
        rawHeaders: ['X-Session-Key', secret],
        body: { sessionKey: secret },
      });
    }
    expect(printed.length).toBeGreaterThan(10);
    expect(printed.join('')).not.toMatch(/KEY/);
  });

  it('redacts any session key in a text', () => {
    const printed: string[] = [];
    const logger = createLogger({ service: 'x', level: 'debug', format: 'json', write: (line) => printed.push(line) });
    const visible = fc
      .string({ unit: fc.integer({ min: 0x21, max: 0x7e }).map((code) => String.fromCharCode(code)), maxLength: 40 })
      .map((text) => `K3${text}Y`);
    fc.assert(
      fc.property(visible, (secret) => {
        printed.length = 0;
        const texts = [
          JSON.stringify({ sessionKey: secret, x: 1 }),
          `/x?sessionKey=${encodeURIComponent(secret)}&y=1`,
          `/x?a=1&session%4bey=1&sessionKey=${encodeURIComponent(secret)}`,
        ];
        for (const text of texts) logger.info(text, { text, error: new Error(text) });
        const all = printed.join('');
        return !all.includes('K3') && !all.includes(secret);
      }),
    );
  });
});
