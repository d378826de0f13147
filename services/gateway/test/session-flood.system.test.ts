import type { ServerResponse } from 'node:http';
import { operations } from '@lobbystats/contracts';
import { createMetrics, silentLogger } from '@lobbystats/service-kit';
import { createSessionVerifier, type SessionVerifierOptions } from '@lobbystats/service-kit/session';
import { eventually, fixedClock } from '@lobbystats/test-kit';
import { network } from './network.ts';
import { FOX, reputationRoutes } from './user-responses.ts';
import { runGateway, startRawUpstream, startStubUpstream } from './running-gateway.ts';

const RATE = operations.rateProfile.path.replace(':username', FOX);
const TRUSTED_KEYS = ['true-old-1', 'true-old-2', 'true-old-3'];

/** A gateway with an upstream whose auth service responds when `hold` calls `answer`. */
async function floodedGateway(
  hold: (key: string, answer: () => void) => void,
  limits: NonNullable<SessionVerifierOptions['limits']> = {},
) {
  const auth = { hold: (_key: string, answer: () => void) => answer() };
  const answerTo = (key: string, res: ServerResponse) => {
    const isValid = key.startsWith('true-');
    res.writeHead(isValid ? 200 : 401, { 'Content-Type': 'application/json' });
    res.end(JSON.stringify(isValid ? { valid: true, username: 'Marlow' } : { valid: false }));
  };
  const authUrl = await startRawUpstream((req, res) => {
    void req.toArray().then((chunks) => {
      const { sessionKey } = JSON.parse(Buffer.concat(chunks as Buffer[]).toString()) as { sessionKey: string };
      auth.hold(sessionKey, () => answerTo(sessionKey, res));
    });
  });
  const clock = fixedClock('2027-01-15T08:00:00Z');
  const sessions = createSessionVerifier({
    authUrl,
    clock,
    logger: silentLogger(),
    metrics: createMetrics('owner'),
    limits,
  });
  const upstream = await startStubUpstream(reputationRoutes(network()), 'test', 0, sessions);
  const gateway = await runGateway({ env: { REPUTATION_API_URL: upstream.url, TRUSTED_PROXIES: '127.0.0.1' } });
  const write = async (key: string, client = '198.51.100.1') => {
    const headers = { 'Content-Type': 'application/json', 'X-Session-Key': key, 'X-Forwarded-For': client };
    return (await gateway.request(RATE, { method: 'POST', headers, body: '{"stars":4}' })).status;
  };
  for (const key of TRUSTED_KEYS) expect(await write(key)).toBe(200);
  clock.advance(3600);
  auth.hold = hold;
  return { write };
}

describe('flood of writes with made-up session keys', () => {
  it('does not block users with a known key while the auth service hangs', async () => {
    const release = Promise.withResolvers<undefined>();
    let held = 0;
    const hold = (key: string, answer: () => void) => {
      if (key.startsWith('true-')) {
        answer();
        return;
      }
      held += 1;
      void release.promise.then(answer);
    };
    const { write } = await floodedGateway(hold, { waitMs: 60_000, timeoutMs: 60_000 });
    const flood = Array.from({ length: 200 }, (_, i) => write(`made-up-${i}`, `203.0.113.${i}`));
    await eventually(() => expect(held).toBe(16));
    // A slow machine may be busy with the flood for a moment.
    await eventually(async () =>
      expect(await Promise.all(TRUSTED_KEYS.map((key) => write(key)))).toEqual(TRUSTED_KEYS.map(() => 200)),
    );
    expect(held).toBe(16);
    release.resolve(undefined);
    expect(new Set(await Promise.all(flood))).toEqual(new Set([401, 503]));
  });

  it('lets known users through while the auth service is slow, and new users of other clients at once', async () => {
    const { write } = await floodedGateway((_key, answer) => {
      setTimeout(() => answer(), 50);
    });
    const flood = { isOver: false, made: 0 };
    const keepWriting = async () => {
      while (!flood.isOver) {
        flood.made += 1;
        expect([401, 503]).toContain(await write(`made-up-${flood.made}`));
      }
    };
    const writers = Promise.all(Array.from({ length: 80 }, keepWriting));
    await eventually(() => expect(flood.made).toBeGreaterThan(200));
    for (const key of TRUSTED_KEYS) await eventually(async () => expect(await write(key)).toBe(200));
    for (let user = 0; user < 20; user += 1) expect(await write(`true-new-${user}`, `203.0.113.${user}`)).toBe(200);
    flood.isOver = true;
    await writers;
  });
});
