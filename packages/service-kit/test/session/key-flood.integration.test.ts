import { json } from 'node:stream/consumers';
import { eventually, serveRaw } from '@lobbystats/test-kit';
import fc from 'fast-check';
import { fakeAuth, neverRespond, jsonResponse, createTestVerifier } from './fake-auth.ts';

/** A fake auth service on loopback: nock is too slow for a flood of keys. */
async function serveAuth(users: Record<string, string> = {}) {
  const auth = fakeAuth(users);
  let running = 0;
  let most = 0;
  const url = await serveRaw((req, res) => {
    running += 1;
    most = Math.max(most, running);
    res.on('close', () => {
      running -= 1;
    });
    void json(req)
      .then(auth.respond)
      .then(([status, body, headers]) => res.writeHead(status, headers).end(body));
  });
  return Object.assign(auth, { url, mostAtOnce: () => most });
}

describe('a flood of made-up keys', () => {
  it('does not delay a trusted key, and a new key succeeds after retries', async () => {
    const auth = await serveAuth({ 'old-key': 'EmberFox', 'new-key': 'Marlow' });
    const { sessions, clock } = createTestVerifier(auth.url, { concurrency: 4, maxWaiting: 100 });
    await sessions.verify('old-key', 'required');
    clock.advance(3600);

    let asked = 0;
    let last = Number.POSITIVE_INFINITY;
    let answered = 0;
    const flood = async () => {
      while (asked < last) {
        asked += 1;
        const need = asked % 10 === 0 ? 'required' : 'optional';
        await sessions.verify(`made-up-${asked}`, need).catch(() => undefined);
        answered += 1;
        // Real requests arrive over several ticks of the event loop.
        if (answered % 50 === 0) await new Promise(setImmediate);
      }
    };
    const flooded = Promise.all(Array.from({ length: 300 }, flood));
    await new Promise(setImmediate);
    const untilAnswered = async (key: string): Promise<string | undefined> => {
      try {
        return (await sessions.verify(key, 'required'))?.username;
      } catch {
        await new Promise(setImmediate);
        return untilAnswered(key);
      }
    };
    const fresh = untilAnswered('new-key');
    expect(await sessions.verify('old-key', 'required')).toEqual({ username: 'EmberFox' });
    // The flood goes on until then.
    last = Math.max(asked, 10_000);
    expect(await fresh).toBe('Marlow');
    await flooded;
    expect(auth.mostAtOnce()).toBeLessThanOrEqual(8);
    expect(await sessions.verify('old-key', 'optional')).toEqual({ username: 'EmberFox' });
  });

  it('makes no read wait in the queue', async () => {
    const auth = await serveAuth({ 'old-key': 'EmberFox', 'new-key': 'Marlow' });
    const { sessions, clock } = createTestVerifier(auth.url, {
      concurrency: 2,
      waitMs: 200,
      timeoutMs: 5000,
      readerMs: 5000,
    });
    await sessions.verify('old-key', 'required');
    clock.advance(3600);
    const held = Promise.withResolvers<undefined>();
    const answer = auth.overrideResponse;
    auth.overrideResponse = () => held.promise.then(() => jsonResponse(500, ''));
    const writers = [1, 2, 3].map((i) => sessions.verify(`made-up-${i}`, 'required').catch(() => 'refused'));
    await eventually(() => expect(auth.requestedKeys).toHaveLength(3));
    expect(await sessions.verify('made-up-3', 'optional')).toBeUndefined();
    expect(await sessions.verify('new-key', 'optional')).toBeUndefined();
    auth.overrideResponse = answer;
    expect(await sessions.verify('old-key', 'optional')).toEqual({ username: 'EmberFox' });
    expect(await writers[2]).toBe('refused');
    held.resolve(undefined);
    expect(await Promise.all(writers)).toEqual(['refused', 'refused', 'refused']);
  });

  it('is rejected at once beyond the queue length, and queued keys are verified in order', async () => {
    const auth = await serveAuth({ 'new-key': 'Marlow' });
    const { sessions } = createTestVerifier(auth.url, { concurrency: 1, maxWaiting: 2 });
    const held = Promise.withResolvers<undefined>();
    auth.overrideResponse = () => {
      auth.overrideResponse = undefined;
      return held.promise.then(() => jsonResponse(500, ''));
    };
    const first = sessions.verify('first', 'required').catch(() => 'refused');
    const waiting = ['second', 'new-key'].map((key) => sessions.verify(key, 'required'));
    await expect(sessions.verify('third', 'required')).rejects.toMatchObject({ code: 'unavailable' });
    held.resolve(undefined);
    expect(await first).toBe('refused');
    expect(await Promise.all(waiting)).toEqual([undefined, { username: 'Marlow' }]);
    expect(auth.requestedKeys).toEqual(['first', 'second', 'new-key']);
  });

  it('makes at most 48 writes wait, and those for a limited time', async () => {
    const auth = await serveAuth();
    const { sessions } = createTestVerifier(auth.url, { timeoutMs: 500, waitMs: 300 });
    auth.overrideResponse = neverRespond;
    let refused = 0;
    const writers = Array.from({ length: 100 }, (_, i) =>
      sessions.verify(`made-up-${i}`, 'required').catch(() => {
        refused += 1;
      }),
    );
    // The others are refused before any timer ends.
    await new Promise(setImmediate);
    expect(refused).toBe(100 - 48);
    await Promise.all(writers);
    expect(refused).toBe(100);
  });

  it('evicts no valid key from the cache', async () => {
    const auth = await serveAuth({ 'old-key': 'EmberFox' });
    const { sessions } = createTestVerifier(auth.url, { maxEntries: 5 });
    await sessions.verify('old-key', 'required');
    for (let i = 0; i < 20; i += 1) await sessions.verify(`made-up-${i}`, 'required');
    auth.users.clear();
    expect(await sessions.verify('old-key', 'required')).toEqual({ username: 'EmberFox' });
  });

  it('never resolves a key to another user, in any order of requests', async () => {
    const users = { a: 'Ann', b: 'Ben', c: 'Cid' };
    const auth = await serveAuth(users);
    const key = fc.constantFrom('a', 'b', 'c', 'x', 'y', 'a ', '__proto__');
    const request = fc.record({
      key,
      need: fc.constantFrom('required' as const, 'optional' as const),
      passes: fc.nat(40),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(request, { minLength: 1, maxLength: 20 }), async (requests) => {
        const { sessions, clock } = createTestVerifier(auth.url, { concurrency: 2, maxWaiting: 30 });
        const answers = requests.map(async ({ key: sessionKey, need, passes }) => {
          clock.advance(passes);
          return [sessionKey, need, (await sessions.verify(sessionKey, need))?.username] as const;
        });
        return (await Promise.all(answers)).every(([sessionKey, need, username]) => {
          const whose = (users as Partial<Record<string, string>>)[sessionKey];
          return (
            username === (Object.hasOwn(users, sessionKey) ? whose : undefined) ||
            (need === 'optional' && username === undefined)
          );
        });
      }),
      { numRuns: 50 },
    );
  });
});
