import type { RequestListener } from 'node:http';
import { drip, halfOf, serveRaw } from '@lobbystats/test-kit';
import { nock } from '@lobbystats/test-kit/nock';
import { hang, sayJson, sessionsOf, type Answer } from './fake-auth.ts';
import { mockAuth } from './mock-auth.ts';

const HTML = { 'Content-Type': 'text/html' };

const faults: Record<string, Answer> = {
  'a fault of its own': sayJson(500, { error: 'oops' }),
  'that it is busy': sayJson(429, { valid: false, error: 'Too many' }),
  'a 503': sayJson(503, { valid: false }),
  'a redirect': sayJson(302, { valid: true, username: 'EmberFox' }, { Location: '/elsewhere' }),
  'a permanent redirect': sayJson(308, '', { Location: '/elsewhere' }),
  'a 401 of a proxy': sayJson(401, '<h1>Unauthorized</h1>', HTML),
  'a 401 without a word': sayJson(401, ''),
  'a 401 that is about something else': sayJson(401, { error: 'Who are you?' }),
  'a 401 that says valid': sayJson(401, { valid: true, username: 'EmberFox' }),
  'a 401 that is half': sayJson(401, '{"valid":false'),
  'a 403': sayJson(403, { valid: false }),
  'a 404': sayJson(404, { valid: false }),
  'a 200 that says not valid': sayJson(200, { valid: false }),
  'a 201': sayJson(201, { valid: true, username: 'EmberFox' }),
  'an empty 200': sayJson(200, ''),
  'a 204': [204, '', {}],
  HTML: sayJson(200, '<p>{"valid":true,"username":"EmberFox"}</p>', HTML),
  'JSON by another name': sayJson(200, { valid: true, username: 'EmberFox' }, { 'Content-Type': 'text/plain' }),
  'JSON of another kind': sayJson(200, { valid: true, username: 'EmberFox' }, { 'Content-Type': 'application/jsonp' }),
  'a list': sayJson(200, [{ valid: true, username: 'EmberFox' }]),
  null: sayJson(200, 'null'),
  'valid in quotes': sayJson(200, { valid: 'true', username: 'EmberFox' }),
  nobody: sayJson(200, { valid: true }),
  'null as a name': sayJson(200, { valid: true, username: null }),
  'a name in a list': sayJson(200, { valid: true, username: ['EmberFox'] }),
  'more than an answer has': sayJson(200, { valid: true, username: 'EmberFox', more: 'x'.repeat(100_000) }),
  'a compressed bomb by its label': sayJson(200, { valid: true, username: 'EmberFox' }, { 'Content-Encoding': 'gzip' }),
};

/** Breaks in the transport, which take real sockets. */
const brokenTransports: Record<string, RequestListener> = {
  'half of an answer': halfOf('{"valid":true,"username":"EmberFox"}'),
  'a connection that is hung up': (req) => void req.socket.destroy(),
  nothing: () => undefined,
  'an answer without end': drip,
};

/** @returns the URL of an auth service that has only this answer */
function answersAll(answer: Answer): string {
  const auth = mockAuth();
  auth.answer = () => answer;
  return auth.url;
}

describe.each([
  ...Object.entries(faults).map(([name, answer]) => [name, async () => answersAll(answer)] as const),
  ...Object.entries(brokenTransports).map(([name, listener]) => [name, () => serveRaw(listener)] as const),
])('an auth service that answers with %s', (_name, startFaulty) => {
  it('makes writers wait for another time and readers go on, and is believed again afterwards', async () => {
    const url = await startFaulty();
    const { sessions, lines } = sessionsOf(url, { timeoutMs: 250, readerMs: 100 });
    const began = performance.now();
    await expect(sessions.verify('fox-key', 'required')).rejects.toMatchObject({ code: 'unavailable' });
    expect(await sessions.verify('fox-key', 'optional')).toBeUndefined();
    expect(performance.now() - began).toBeLessThan(3000);
    await expect(sessions.verify('fox-key', 'required')).rejects.toMatchObject({ code: 'unavailable' });
    nock.cleanAll();
    mockAuth({ 'fox-key': 'EmberFox' }, url);
    expect(await sessions.verify('fox-key', 'required')).toEqual({ username: 'EmberFox' });
    expect(await sessions.verify('no-key', 'required')).toBeUndefined();
    expect(lines.join('')).not.toMatch(/fox-key|EmberFox|script/);
  });
});

describe('a name that nobody can have here', () => {
  it.each(["O'Neil", 'José', 'x'.repeat(33), '<script>', ' ', ''])(
    'is of no valid session: %j, which is asked once and is no fault',
    async (username) => {
      const auth = mockAuth({ 'old-key': 'EmberFox', 'odd-key': username, 'new-key': 'Marlow' });
      const { sessions, clock, lines } = sessionsOf(auth.url);
      for (const need of ['required', 'optional'] as const) {
        for (let i = 0; i < 5; i += 1) expect(await sessions.verify('odd-key', need)).toBeUndefined();
      }
      expect(auth.asked).toEqual(['odd-key']);
      const others = ['old-key', 'new-key'].map((key) => sessions.verify(key, 'required'));
      expect(await Promise.all(others)).toEqual([{ username: 'EmberFox' }, { username: 'Marlow' }]);
      clock.advance(60);
      expect(await sessions.verify('odd-key', 'required')).toBeUndefined();
      expect(auth.asked).toHaveLength(4);
      expect(lines).toEqual([]);
    },
  );
});

describe('a fault that made-up keys cause', () => {
  const people = { 'old-1': 'EmberFox', 'old-2': 'Marlow', 'new-1': 'Ann', 'new-2': 'Ben' };
  const callers = (keys: readonly (keyof typeof people)[]) => keys.map((key) => ({ username: people[key] }));

  /** Sessions of an auth service that stumbles over made-up keys; it has done so a few times. */
  async function stumbling(fault: () => Answer | Promise<Answer>) {
    const auth = mockAuth(people);
    const { sessions, clock, lines } = sessionsOf(auth.url, { timeoutMs: fault === hang ? 500 : 5000 });
    const verify = (keys: readonly string[]) => Promise.all(keys.map((key) => sessions.verify(key, 'required')));
    await verify(['old-1', 'old-2']);
    clock.advance(60);
    auth.answer = (key) => (Object.hasOwn(people, key) ? undefined : fault());
    const madeUp = Array.from({ length: 5 }, (_, i) => sessions.verify(`made-up-${i}`, 'required'));
    expect((await Promise.allSettled(madeUp)).map(({ status }) => status)).not.toContain('fulfilled');
    return { verify, lines };
  }

  it.each([
    ['500', () => sayJson(500, {})],
    ['503', () => sayJson(503, {})],
    ['429', () => sayJson(429, {})],
    ['nothing', hang],
  ])('keeps nobody out who was here before: %s', async (_what, fault) => {
    const { verify } = await stumbling(fault);
    const old = ['old-1', 'old-2'] as const;
    expect(await verify(old)).toEqual(callers(old));
  });

  it.each([400, 403, 404, 422, 429])('is no sign of an outage, where it is a %i', async (status) => {
    const { verify, lines } = await stumbling(() => sayJson(status, { valid: false }));
    const fresh = ['new-1', 'new-2'] as const;
    expect(await verify(fresh)).toEqual(callers(fresh));
    expect(lines.join('')).toContain('sessions can not be checked');
  });

  it('is no sign of one either, where it is a valid session without a name', async () => {
    const { verify } = await stumbling(() => sayJson(200, { valid: true, username: null }));
    const fresh = ['new-1', 'new-2'] as const;
    expect(await verify(fresh)).toEqual(callers(fresh));
  });
});

describe('an auth service that is away', () => {
  it('makes no verdict, and is asked again when it is back', async () => {
    // Nobody listens there.
    const url = 'http://127.0.0.1:1';
    const { sessions, lines } = sessionsOf(url);
    for (let i = 0; i < 5; i += 1) {
      await expect(sessions.verify('fox-key', 'required')).rejects.toMatchObject({ code: 'unavailable' });
    }
    expect(await sessions.verify('fox-key', 'optional')).toBeUndefined();
    mockAuth({ 'fox-key': 'EmberFox' }, url);
    expect(await sessions.verify('fox-key', 'required')).toEqual({ username: 'EmberFox' });
    const told = lines.map((line) => JSON.parse(line) as { level: string; message: string });
    expect(told.filter(({ level }) => level !== 'debug').map(({ message }) => message)).toEqual([
      'sessions can not be checked',
      'the auth service answers again',
    ]);
  });

  it('keeps nobody waiting but one at a time, who finds out when it is back', async () => {
    const auth = mockAuth({ 'fox-key': 'EmberFox' });
    const { sessions } = sessionsOf(auth.url, { timeoutMs: 300 });
    auth.answer = hang;
    const few = Array.from({ length: 3 }, (_, i) => sessions.verify(`key-${i}`, 'required'));
    await Promise.allSettled(few);
    const began = performance.now();
    const first = sessions.verify('first', 'required');
    const others = Array.from({ length: 50 }, (_, i) => sessions.verify(`other-${i}`, 'required'));
    expect((await Promise.allSettled(others)).map(({ status }) => status)).not.toContain('fulfilled');
    expect(performance.now() - began).toBeLessThan(250);
    await expect(first).rejects.toMatchObject({ code: 'unavailable' });
    expect(auth.asked).toHaveLength(4);
    auth.answer = undefined;
    expect(await sessions.verify('fox-key', 'required')).toEqual({ username: 'EmberFox' });
  });
});
