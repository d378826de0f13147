import { userResponse, jsonResponse, createTestVerifier } from './fake-auth.ts';
import { mockAuth } from './mock-auth.ts';

const FOX = { username: 'EmberFox' };

function known(limits = {}) {
  const auth = mockAuth({ 'fox-key': 'EmberFox' });
  return { auth, ...createTestVerifier(auth.url, limits) };
}

describe('the session verifier', () => {
  it('resolves a valid key to its user and an invalid key to none, for writes and reads', async () => {
    const { sessions } = known();
    for (const need of ['required', 'optional'] as const) {
      expect(await sessions.verify('fox-key', need)).toEqual(FOX);
      expect(await sessions.verify('made-up', need)).toBeUndefined();
    }
  });

  it.each([
    ['required', 10],
    ['optional', 60],
  ] as const)(
    'accepts a valid key where a session is %s for %i s from the start of its verification',
    async (need, seconds) => {
      const { auth, sessions, clock } = known();
      auth.overrideResponse = () => {
        clock.advance(2);
        auth.overrideResponse = undefined;
        return userResponse('EmberFox');
      };
      await sessions.verify('fox-key', need);
      auth.users.clear();
      clock.advance(seconds - 3);
      expect(await sessions.verify('fox-key', need)).toEqual(FOX);
      expect(auth.requestedKeys).toEqual(['fox-key']);
      clock.advance(1);
      expect(await sessions.verify('fox-key', need)).toBeUndefined();
      expect(auth.requestedKeys).toEqual(['fox-key', 'fox-key']);
    },
  );

  it('lets an ended session write for at most 10 s, after which reads reject it too', async () => {
    const { auth, sessions, clock } = known();
    await sessions.verify('fox-key', 'optional');
    auth.users.clear();
    clock.advance(9);
    expect(await sessions.verify('fox-key', 'optional')).toEqual(FOX);
    expect(await sessions.verify('fox-key', 'required')).toEqual(FOX);
    clock.advance(1);
    expect(await sessions.verify('fox-key', 'optional')).toEqual(FOX);
    expect(await sessions.verify('fox-key', 'required')).toBeUndefined();
    expect(await sessions.verify('fox-key', 'optional')).toBeUndefined();
    expect(auth.requestedKeys).toEqual(['fox-key', 'fox-key']);
  });

  it('caches an invalid key for 60 s, for writes and reads', async () => {
    const { auth, sessions, clock } = known();
    await sessions.verify('made-up', 'required');
    auth.users.set('made-up', 'Marlow');
    clock.advance(59);
    for (const need of ['required', 'optional'] as const)
      expect(await sessions.verify('made-up', need)).toBeUndefined();
    clock.advance(1);
    expect(await sessions.verify('made-up', 'required')).toEqual({ username: 'Marlow' });
    expect(auth.requestedKeys).toEqual(['made-up', 'made-up']);
  });

  it('expires cache entries when the clock is set back', async () => {
    const { auth, sessions, clock } = known();
    await sessions.verify('fox-key', 'required');
    clock.advance(-3600);
    auth.users.clear();
    expect(await sessions.verify('fox-key', 'required')).toBeUndefined();
  });

  it('verifies a key once for 200 concurrent requests', async () => {
    const { auth, sessions } = known({ readerMs: 5000 });
    const needs = Array.from({ length: 200 }, (_, i) => (i % 2 === 0 ? 'required' : 'optional'));
    const callers = await Promise.all(needs.map((need) => sessions.verify('fox-key', need)));
    expect(new Set(callers.map((caller) => caller?.username))).toEqual(new Set(['EmberFox']));
    expect(auth.requestedKeys).toEqual(['fox-key']);
  });

  it.each(['', 'x'.repeat(4097), 'a b', 'ä', '\n', 'a\0', '\u007f'])(
    'rejects a malformed key without asking the auth service: %#',
    async (text) => {
      const { auth, sessions } = known();
      for (const need of ['required', 'optional'] as const) expect(await sessions.verify(text, need)).toBeUndefined();
      expect(auth.requestedKeys).toEqual([]);
    },
  );

  it.each(['x', 'x'.repeat(4096), '{"$gt":""}', '__proto__', 'constructor', '!"#$%&\'()*+,-./:;<=>?@[\\]^_`{|}~'])(
    'asks the auth service about any well-formed key: %#',
    async (text) => {
      const { auth, sessions } = known();
      expect(await sessions.verify(text, 'required')).toBeUndefined();
      auth.users.set(text, 'Marlow');
      expect(auth.requestedKeys).toEqual([text]);
    },
  );

  it('returns the canonical spelling of a username', async () => {
    const { auth, sessions } = known();
    auth.overrideResponse = () => userResponse(' Ember   Fox ');
    expect(await sessions.verify('fox-key', 'required')).toEqual({ username: 'Ember Fox' });
  });

  it('counts verifications by outcome, and no log line or metric contains a key', async () => {
    const { auth, sessions, lines, samples } = known();
    await sessions.verify('fox-key', 'required');
    await sessions.verify('made-up-key', 'required');
    auth.overrideResponse = () => jsonResponse(500, { error: 'made-up-key' });
    await expect(sessions.verify('other-key', 'required')).rejects.toThrow();
    await sessions.verify('other-key', 'optional');
    const text = await samples();
    for (const [outcome, count] of [
      ['valid', 1],
      ['invalid', 1],
      ['unavailable', 2],
    ] as const) {
      expect(text).toMatch(new RegExp(`session_checks_total\\{outcome="${outcome}",service="x"\\} ${count}`));
    }
    expect(lines.length).toBeGreaterThan(0);
    expect(lines.join('') + text).not.toMatch(/-key/);
  });
});
