import { json } from 'node:stream/consumers';
import { context } from '../../src/index.ts';
import { eventually, serveRaw } from '@lobbystats/test-kit';
import { createTestVerifier, fakeAuth, jsonResponse } from './fake-auth.ts';

async function serveVerifier(users: Record<string, string>) {
  const auth = fakeAuth(users);
  const url = await serveRaw((req, res) => {
    void json(req)
      .then(auth.respond)
      .then(([status, body, headers]) => res.writeHead(status, headers).end(body));
  });
  const verifier = createTestVerifier(url);
  const verifyFrom = (client: string, key: string) =>
    context.run({ traceparent: '', client }, () => verifier.sessions.verify(key, 'required'));
  return { ...verifier, auth, verifyFrom };
}

const [ATTACKER, OTHER] = ['198.51.100.7', '2001:db8:0:1::/64'];

describe('made-up keys of one client', () => {
  it('take half of the verifications, so that a new session of another client is verified at once', async () => {
    const { auth, verifyFrom } = await serveVerifier({ 'new-key': 'Marlow' });
    const held = Promise.withResolvers<undefined>();
    auth.overrideResponse = (key) =>
      key === 'new-key' ? undefined : held.promise.then(() => jsonResponse(401, { valid: false }));
    const flood = Array.from({ length: 100 }, (_, i) => verifyFrom(ATTACKER, `made-up-${i}`).catch(() => 'rejected'));
    await eventually(() => expect(auth.requestedKeys).toHaveLength(8));
    await expect(verifyFrom(OTHER, 'new-key')).resolves.toEqual({ username: 'Marlow' });
    held.resolve(undefined);
    expect((await Promise.all(flood)).filter((result) => result === 'rejected')).toHaveLength(92);
  });

  it('are not verified after 20 invalid ones within a minute; its trusted keys and other clients are', async () => {
    const { auth, clock, verifyFrom, samples } = await serveVerifier({ 'old-key': 'EmberFox', 'new-key': 'Marlow' });
    await verifyFrom(ATTACKER, 'old-key');
    clock.advance(3600);
    for (let i = 0; i < 20; i += 1) await expect(verifyFrom(ATTACKER, `made-up-${i}`)).resolves.toBeUndefined();
    await expect(verifyFrom(ATTACKER, 'made-up-20')).rejects.toMatchObject({ code: 'unavailable' });
    await expect(verifyFrom(ATTACKER, 'new-key')).rejects.toMatchObject({ code: 'unavailable' });
    expect(auth.requestedKeys).toHaveLength(21);
    expect(await samples()).toMatch(/session_checks_total\{outcome="limited",service="x"\} 2/);
    await expect(verifyFrom(ATTACKER, 'old-key')).resolves.toEqual({ username: 'EmberFox' });
    await expect(verifyFrom(OTHER, 'new-key')).resolves.toEqual({ username: 'Marlow' });
    clock.advance(60);
    await expect(verifyFrom(ATTACKER, 'made-up-20')).resolves.toBeUndefined();
  });

  it('share one verification if they are the same key', async () => {
    const { auth, verifyFrom } = await serveVerifier({ 'new-key': 'Marlow' });
    const reads = Array.from({ length: 50 }, () => verifyFrom(ATTACKER, 'new-key'));
    await expect(Promise.all(reads)).resolves.toEqual(Array(50).fill({ username: 'Marlow' }));
    expect(auth.requestedKeys).toEqual(['new-key']);
  });
});
