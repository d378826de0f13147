import { say, sayJson, sessionsOf } from './fake-auth.ts';
import { mockAuth } from './mock-auth.ts';

const FOX = { username: 'EmberFox' };

function known(limits = {}) {
  const auth = mockAuth({ 'fox-key': 'EmberFox' });
  return { auth, ...sessionsOf(auth.url, limits) };
}

describe('sessions', () => {
  it('tell whose a key is, and that one is nobody’s, to writers and readers alike', async () => {
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
    'take a key for valid, where one is %s, for %i s from the time at which it was asked for',
    async (need, seconds) => {
      const { auth, sessions, clock } = known();
      auth.answer = () => {
        clock.advance(2);
        auth.answer = undefined;
        return say('EmberFox');
      };
      await sessions.verify('fox-key', need);
      auth.people.clear();
      clock.advance(seconds - 3);
      expect(await sessions.verify('fox-key', need)).toEqual(FOX);
      expect(auth.asked).toEqual(['fox-key']);
      clock.advance(1);
      expect(await sessions.verify('fox-key', need)).toBeUndefined();
      expect(auth.asked).toEqual(['fox-key', 'fox-key']);
    },
  );

  it('let an ended session write for 10 s however often it reads, and a reader learns what a writer was told', async () => {
    const { auth, sessions, clock } = known();
    await sessions.verify('fox-key', 'optional');
    auth.people.clear();
    clock.advance(9);
    expect(await sessions.verify('fox-key', 'optional')).toEqual(FOX);
    expect(await sessions.verify('fox-key', 'required')).toEqual(FOX);
    clock.advance(1);
    expect(await sessions.verify('fox-key', 'optional')).toEqual(FOX);
    expect(await sessions.verify('fox-key', 'required')).toBeUndefined();
    expect(await sessions.verify('fox-key', 'optional')).toBeUndefined();
    expect(auth.asked).toEqual(['fox-key', 'fox-key']);
  });

  it('take a key for nobody’s for 60 s, whoever asks', async () => {
    const { auth, sessions, clock } = known();
    await sessions.verify('made-up', 'required');
    auth.people.set('made-up', 'Marlow');
    clock.advance(59);
    for (const need of ['required', 'optional'] as const)
      expect(await sessions.verify('made-up', need)).toBeUndefined();
    clock.advance(1);
    expect(await sessions.verify('made-up', 'required')).toEqual({ username: 'Marlow' });
    expect(auth.asked).toEqual(['made-up', 'made-up']);
  });

  it('keep nothing for longer because the clock is set back', async () => {
    const { auth, sessions, clock } = known();
    await sessions.verify('fox-key', 'required');
    clock.advance(-3600);
    auth.people.clear();
    expect(await sessions.verify('fox-key', 'required')).toBeUndefined();
  });

  it('ask once for many requests with one key', async () => {
    const { auth, sessions } = known({ readerMs: 5000 });
    const needs = Array.from({ length: 200 }, (_, i) => (i % 2 === 0 ? 'required' : 'optional'));
    const callers = await Promise.all(needs.map((need) => sessions.verify('fox-key', need)));
    expect(new Set(callers.map((caller) => caller?.username))).toEqual(new Set(['EmberFox']));
    expect(auth.asked).toEqual(['fox-key']);
  });

  it.each(['', 'x'.repeat(4097), 'a b', 'ä', '\n', 'a\0', '\u007f'])(
    'ask nobody about what can be no key: %#',
    async (text) => {
      const { auth, sessions } = known();
      for (const need of ['required', 'optional'] as const) expect(await sessions.verify(text, need)).toBeUndefined();
      expect(auth.asked).toEqual([]);
    },
  );

  it.each(['x', 'x'.repeat(4096), '{"$gt":""}', '__proto__', 'constructor', '!"#$%&\'()*+,-./:;<=>?@[\\]^_`{|}~'])(
    'take any other text for a key: %#',
    async (text) => {
      const { auth, sessions } = known();
      expect(await sessions.verify(text, 'required')).toBeUndefined();
      auth.people.set(text, 'Marlow');
      expect(auth.asked).toEqual([text]);
    },
  );

  it('spell a person as usernames are written', async () => {
    const { auth, sessions } = known();
    auth.answer = () => say(' Ember   Fox ');
    expect(await sessions.verify('fox-key', 'required')).toEqual({ username: 'Ember Fox' });
  });

  it('count what came of each key, and log and count none', async () => {
    const { auth, sessions, lines, samples } = known();
    await sessions.verify('fox-key', 'required');
    await sessions.verify('made-up-key', 'required');
    auth.answer = () => sayJson(500, { error: 'made-up-key' });
    await expect(sessions.verify('other-key', 'required')).rejects.toThrow();
    await sessions.verify('other-key', 'optional');
    const text = await samples();
    for (const [outcome, count] of [
      ['valid', 1],
      ['invalid', 1],
      ['untold', 2],
    ] as const) {
      expect(text).toMatch(new RegExp(`session_checks_total\\{outcome="${outcome}",service="x"\\} ${count}`));
    }
    expect(lines.length).toBeGreaterThan(0);
    expect(lines.join('') + text).not.toMatch(/-key/);
  });
});
