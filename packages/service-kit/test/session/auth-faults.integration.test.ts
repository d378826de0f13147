import type { RequestListener } from 'node:http';
import { slowResponse, truncatedResponse, serveRaw } from '@lobbystats/test-kit';
import { nock } from '@lobbystats/test-kit/nock';
import { neverRespond, jsonResponse, createTestVerifier, type AuthResponse } from './fake-auth.ts';
import { mockAuth } from './mock-auth.ts';

const HTML = { 'Content-Type': 'text/html' };

const responseFaults: Record<string, AuthResponse> = {
  'a 500': jsonResponse(500, { error: 'oops' }),
  'a 429': jsonResponse(429, { valid: false, error: 'Too many' }),
  'a 503': jsonResponse(503, { valid: false }),
  'a redirect': jsonResponse(302, { valid: true, username: 'EmberFox' }, { Location: '/elsewhere' }),
  'a permanent redirect': jsonResponse(308, '', { Location: '/elsewhere' }),
  'a 401 of a proxy': jsonResponse(401, '<h1>Unauthorized</h1>', HTML),
  'an empty 401': jsonResponse(401, ''),
  'a 401 that is about something else': jsonResponse(401, { error: 'Who are you?' }),
  'a 401 that says valid': jsonResponse(401, { valid: true, username: 'EmberFox' }),
  'a truncated 401': jsonResponse(401, '{"valid":false'),
  'a 403': jsonResponse(403, { valid: false }),
  'a 404': jsonResponse(404, { valid: false }),
  'a 200 that says not valid': jsonResponse(200, { valid: false }),
  'a 201': jsonResponse(201, { valid: true, username: 'EmberFox' }),
  'an empty 200': jsonResponse(200, ''),
  'a 204': [204, '', {}],
  HTML: jsonResponse(200, '<p>{"valid":true,"username":"EmberFox"}</p>', HTML),
  'JSON by another name': jsonResponse(200, { valid: true, username: 'EmberFox' }, { 'Content-Type': 'text/plain' }),
  'JSON of another kind': jsonResponse(
    200,
    { valid: true, username: 'EmberFox' },
    { 'Content-Type': 'application/jsonp' },
  ),
  'a list': jsonResponse(200, [{ valid: true, username: 'EmberFox' }]),
  null: jsonResponse(200, 'null'),
  'valid in quotes': jsonResponse(200, { valid: 'true', username: 'EmberFox' }),
  'a valid session without a name': jsonResponse(200, { valid: true }),
  'null as a name': jsonResponse(200, { valid: true, username: null }),
  'a name in a list': jsonResponse(200, { valid: true, username: ['EmberFox'] }),
  'an oversized response': jsonResponse(200, { valid: true, username: 'EmberFox', more: 'x'.repeat(100_000) }),
  'a compressed bomb by its label': jsonResponse(
    200,
    { valid: true, username: 'EmberFox' },
    { 'Content-Encoding': 'gzip' },
  ),
};

/** Transport faults, which need real sockets. */
const transportFaults: Record<string, RequestListener> = {
  'half of a response': truncatedResponse('{"valid":true,"username":"EmberFox"}'),
  'a connection that is hung up': (req) => void req.socket.destroy(),
  'no response': () => undefined,
  'an endless response': slowResponse,
};

/** @returns the URL of an auth service that always sends this response */
function mockResponse(answer: AuthResponse): string {
  const auth = mockAuth();
  auth.overrideResponse = () => answer;
  return auth.url;
}

describe.each([
  ...Object.entries(responseFaults).map(([name, answer]) => [name, async () => mockResponse(answer)] as const),
  ...Object.entries(transportFaults).map(([name, listener]) => [name, () => serveRaw(listener)] as const),
])('an auth service that responds with %s', (_name, startFaulty) => {
  it('makes writes fail as unavailable, lets reads continue, and recovers', async () => {
    const url = await startFaulty();
    const { sessions, lines } = createTestVerifier(url, { timeoutMs: 250, readerMs: 100 });
    await expect(sessions.verify('fox-key', 'required')).rejects.toMatchObject({ code: 'unavailable' });
    expect(await sessions.verify('fox-key', 'optional')).toBeUndefined();
    await expect(sessions.verify('fox-key', 'required')).rejects.toMatchObject({ code: 'unavailable' });
    nock.cleanAll();
    mockAuth({ 'fox-key': 'EmberFox' }, url);
    expect(await sessions.verify('fox-key', 'required')).toEqual({ username: 'EmberFox' });
    expect(await sessions.verify('no-key', 'required')).toBeUndefined();
    expect(lines.join('')).not.toMatch(/fox-key|EmberFox|script/);
  });
});

describe('an impossible username', () => {
  it.each(["O'Neil", 'José', 'x'.repeat(33), '<script>', ' ', ''])(
    'makes the session invalid without counting as a fault: %j',
    async (username) => {
      const auth = mockAuth({ 'old-key': 'EmberFox', 'odd-key': username, 'new-key': 'Marlow' });
      const { sessions, clock, lines } = createTestVerifier(auth.url);
      for (const need of ['required', 'optional'] as const) {
        for (let i = 0; i < 5; i += 1) expect(await sessions.verify('odd-key', need)).toBeUndefined();
      }
      expect(auth.requestedKeys).toEqual(['odd-key']);
      const others = ['old-key', 'new-key'].map((key) => sessions.verify(key, 'required'));
      expect(await Promise.all(others)).toEqual([{ username: 'EmberFox' }, { username: 'Marlow' }]);
      clock.advance(60);
      expect(await sessions.verify('odd-key', 'required')).toBeUndefined();
      expect(auth.requestedKeys).toHaveLength(4);
      expect(lines).toEqual([]);
    },
  );
});

describe('a fault caused by made-up keys', () => {
  const users = { 'old-1': 'EmberFox', 'old-2': 'Marlow', 'new-1': 'Ann', 'new-2': 'Ben' };
  const callers = (keys: readonly (keyof typeof users)[]) => keys.map((key) => ({ username: users[key] }));

  /** A verifier whose auth service has failed for a few made-up keys. */
  async function stumbling(fault: () => AuthResponse | Promise<AuthResponse>) {
    const auth = mockAuth(users);
    const { sessions, clock, lines } = createTestVerifier(auth.url, { timeoutMs: fault === neverRespond ? 500 : 5000 });
    const verify = (keys: readonly string[]) => Promise.all(keys.map((key) => sessions.verify(key, 'required')));
    await verify(['old-1', 'old-2']);
    clock.advance(60);
    auth.overrideResponse = (key) => (Object.hasOwn(users, key) ? undefined : fault());
    const verifications = Array.from({ length: 5 }, (_, i) => sessions.verify(`made-up-${i}`, 'required'));
    expect((await Promise.allSettled(verifications)).map(({ status }) => status)).not.toContain('fulfilled');
    return { verify, lines };
  }

  it.each([
    ['500', () => jsonResponse(500, {})],
    ['503', () => jsonResponse(503, {})],
    ['429', () => jsonResponse(429, {})],
    ['nothing', neverRespond],
  ])('does not affect trusted keys: %s', async (_what, fault) => {
    const { verify } = await stumbling(fault);
    const old = ['old-1', 'old-2'] as const;
    expect(await verify(old)).toEqual(callers(old));
  });

  it.each([400, 403, 404, 422])('does not count as an outage when it is a %i', async (status) => {
    const { verify, lines } = await stumbling(() => jsonResponse(status, { valid: false }));
    const fresh = ['new-1', 'new-2'] as const;
    expect(await verify(fresh)).toEqual(callers(fresh));
    expect(lines.join('')).toContain('session verification failed');
  });

  it.each([408, 425, 429])('counts as an outage of the service when it is a %i', async (status) => {
    const auth = mockAuth();
    const { sessions } = createTestVerifier(auth.url);
    auth.overrideResponse = () => jsonResponse(status, { valid: false });
    const keys = Array.from({ length: 40 }, (_, i) => `made-up-${i}`);
    for (const key of keys.slice(0, 3)) await expect(sessions.verify(key, 'required')).rejects.toThrow();
    // One probe at a time.
    await Promise.allSettled(keys.slice(3).map((key) => sessions.verify(key, 'required')));
    expect(auth.requestedKeys).toHaveLength(4);
  });

  it.each([408, 429, 500, 503])('is followed by no request before its Retry-After when it is a %i', async (status) => {
    const auth = mockAuth();
    const { sessions } = createTestVerifier(auth.url);
    auth.overrideResponse = () => jsonResponse(status, { valid: false }, { 'Retry-After': '50' });
    for (let i = 0; i < 10; i += 1) {
      await expect(sessions.verify(`made-up-${i}`, 'required')).rejects.toMatchObject({ code: 'unavailable' });
    }
    expect(auth.requestedKeys).toHaveLength(1);
  });

  it('does not count as an outage when it is a valid session without a name', async () => {
    const { verify } = await stumbling(() => jsonResponse(200, { valid: true, username: null }));
    const fresh = ['new-1', 'new-2'] as const;
    expect(await verify(fresh)).toEqual(callers(fresh));
  });
});

describe('an unreachable auth service', () => {
  it('adds nothing to the cache, and is asked again once it is back', async () => {
    // A port without a server.
    const url = 'http://127.0.0.1:1';
    const { sessions, lines } = createTestVerifier(url);
    for (let i = 0; i < 5; i += 1) {
      await expect(sessions.verify('fox-key', 'required')).rejects.toMatchObject({ code: 'unavailable' });
    }
    expect(await sessions.verify('fox-key', 'optional')).toBeUndefined();
    mockAuth({ 'fox-key': 'EmberFox' }, url);
    expect(await sessions.verify('fox-key', 'required')).toEqual({ username: 'EmberFox' });
    const entries = lines.map((line) => JSON.parse(line) as { level: string; message: string });
    expect(entries.filter(({ level }) => level !== 'debug').map(({ message }) => message)).toEqual([
      'session verification failed',
      'session verification recovered',
    ]);
  });

  it('is probed by one request at a time while all others fail at once', async () => {
    const auth = mockAuth({ 'fox-key': 'EmberFox' });
    const { sessions } = createTestVerifier(auth.url, { timeoutMs: 300 });
    auth.overrideResponse = neverRespond;
    const few = Array.from({ length: 3 }, (_, i) => sessions.verify(`key-${i}`, 'required'));
    await Promise.allSettled(few);
    let isProbeOver = false;
    const first = sessions.verify('first', 'required').finally(() => {
      isProbeOver = true;
    });
    const others = Array.from({ length: 50 }, (_, i) => sessions.verify(`other-${i}`, 'required'));
    expect((await Promise.allSettled(others)).map(({ status }) => status)).not.toContain('fulfilled');
    expect(isProbeOver).toBe(false);
    await expect(first).rejects.toMatchObject({ code: 'unavailable' });
    expect(auth.requestedKeys).toHaveLength(4);
    auth.overrideResponse = undefined;
    expect(await sessions.verify('fox-key', 'required')).toEqual({ username: 'EmberFox' });
  });
});
