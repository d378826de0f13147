import type { ServerResponse } from 'node:http';
import { operations } from '@lobbystats/contracts';
import { createMetrics, silentLogger } from '@lobbystats/service-kit';
import { createSessions, type SessionsOptions } from '@lobbystats/session';
import { eventually, fixedClock } from '@lobbystats/test-kit';
import { network } from './network.ts';
import { FOX, reputationRoutes } from './people-answers.ts';
import { runGateway, startBadOwner, startOwner } from './running-gateway.ts';

const RATE = operations.rateProfile.path.replace(':username', FOX);
const OLD = ['true-old-1', 'true-old-2', 'true-old-3'];

/** A gateway in front of an owner that asks an auth service, which answers keys when `hold` says so. */
async function floodedGateway(
  hold: (key: string, answer: () => void) => void,
  limits: NonNullable<SessionsOptions['limits']> = {},
) {
  const auth = { hold: (_key: string, answer: () => void) => answer() };
  const answerTo = (key: string, res: ServerResponse) => {
    const isValid = key.startsWith('true-');
    res.writeHead(isValid ? 200 : 401, { 'Content-Type': 'application/json' });
    res.end(JSON.stringify(isValid ? { valid: true, username: 'Marlow' } : { valid: false }));
  };
  const authUrl = await startBadOwner((req, res) => {
    void req.toArray().then((chunks) => {
      const { sessionKey } = JSON.parse(Buffer.concat(chunks as Buffer[]).toString()) as { sessionKey: string };
      auth.hold(sessionKey, () => answerTo(sessionKey, res));
    });
  });
  const clock = fixedClock('2027-01-15T08:00:00Z');
  const sessions = createSessions({ authUrl, clock, logger: silentLogger(), metrics: createMetrics('owner'), limits });
  const owner = await startOwner(reputationRoutes(network()), 'test', 0, sessions);
  const gateway = await runGateway({ env: { REPUTATION_API_URL: owner.url } });
  const write = async (key: string) => {
    const headers = { 'Content-Type': 'application/json', 'X-Session-Key': key };
    return (await gateway.ask(RATE, { method: 'POST', headers, body: '{"stars":4}' })).status;
  };
  for (const key of OLD) expect(await write(key)).toBe(200);
  clock.advance(3600);
  auth.hold = hold;
  return { write };
}

describe('a flood of writes with made-up keys', () => {
  it('keeps no connection from those who were here before, while nobody can tell of it', async () => {
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
    const flood = Array.from({ length: 200 }, (_, i) => write(`made-up-${i}`));
    await eventually(() => expect(held).toBe(16));
    // A slow machine may have its hands full with the flood itself for a moment.
    await eventually(async () => expect(await Promise.all(OLD.map(write))).toEqual(OLD.map(() => 200)));
    expect(held).toBe(16);
    release.resolve(undefined);
    expect(new Set(await Promise.all(flood))).toEqual(new Set([401, 503]));
  });

  it('lets those through who were here before, and who is new and tries again, at a slow auth service', async () => {
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
    for (const key of OLD) await eventually(async () => expect(await write(key)).toBe(200));
    let tries = 1;
    while (tries < 30 && (await write('true-new')) !== 200) tries += 1;
    expect(tries).toBeLessThan(30);
    flood.isOver = true;
    await writers;
  });
});
