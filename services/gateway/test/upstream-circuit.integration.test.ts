import { cleanUp } from '@lobbystats/test-kit';
import { UpstreamClient } from '../src/upstreams/upstream-client.http.ts';
import type { RequestOutcome } from '../src/upstreams/upstream-outcome.http.ts';
import { startRawUpstream } from './running-gateway.ts';

/** Each request is answered as its path says; `/wait` when the test says so. */
async function startClient() {
  const waiting: { answer(): void; break(): void }[] = [];
  const url = await startRawUpstream((req, res) => {
    if (req.url === '/break') req.socket.destroy();
    else if (req.url === '/wait') waiting.push({ answer: () => res.end(), break: () => req.socket.destroy() });
    else res.end(req.url === '/large' ? 'x'.repeat(200) : '');
  });
  const clock = { nowMs: 0 };
  const changes: boolean[] = [];
  const outcomes: RequestOutcome[] = [];
  const client = new UpstreamClient({
    upstream: 'series-api',
    url,
    timeoutMs: 30_000,
    maxBytes: 100,
    streamMs: 30_000,
    hooks: {
      onOutcome: (_upstream, outcome) => outcomes.push(outcome),
      onCircuitChange: (_upstream, isOpen) => changes.push(isOpen),
    },
    now: () => clock.nowMs,
  });
  cleanUp(() => client.close());
  const send = async (path: 'answer' | 'break' | 'large' | 'wait') => {
    const request = { method: 'GET', path: `/${path}`, headers: {} } as const;
    const answered = client.fetch({ request, timeoutMs: 30_000, hasSession: false, isSafe: false });
    await answered.catch(() => undefined);
    return outcomes.at(-1);
  };
  /** Begins a request that the test answers or breaks. */
  const begin = async () => {
    const before = waiting.length;
    const outcome = send('wait');
    while (waiting.length === before) await new Promise(setImmediate);
    return { outcome, ...waiting.at(-1)! };
  };
  const open = async () => {
    for (let i = 0; i < 5; i += 1) expect(await send('break')).toBe('failed');
  };
  return { clock, changes, send, begin, open };
}

describe('closed circuit', () => {
  it('opens after five consecutive failures', async () => {
    const { changes, send, open } = await startClient();
    for (let i = 0; i < 4; i += 1) await send('break');
    await send('answer');
    for (let i = 0; i < 4; i += 1) await send('break');
    expect(changes).toEqual([]);
    await send('answer');
    await open();
    expect(changes).toEqual([true]);
    expect(await send('answer')).toBe('circuit_open');
  });

  it('counts other errors neither as failure nor as response', async () => {
    const { changes, send } = await startClient();
    for (let i = 0; i < 4; i += 1) await send('break');
    for (let i = 0; i < 10; i += 1) expect(await send('large')).toBe('too_large');
    expect(changes).toEqual([]);
    await send('break');
    expect(changes).toEqual([true]);
  });
});

describe('open circuit', () => {
  it('sends one probe after 1 s, and closes with its response', async () => {
    const { clock, changes, send, begin, open } = await startClient();
    await open();
    clock.nowMs = 999;
    expect(await send('answer')).toBe('circuit_open');
    clock.nowMs = 1000;
    const probe = await begin();
    clock.nowMs = 1999;
    expect(await send('answer')).toBe('circuit_open');
    probe.answer();
    expect(await probe.outcome).toBe('answered');
    expect(await send('answer')).toBe('answered');
    expect(changes).toEqual([true, false]);
  });

  it.each(['break', 'large'] as const)('stays open for another second after a probe that ends as "%s"', async (end) => {
    const { clock, changes, send, open } = await startClient();
    await open();
    for (let tries = 1; tries <= 3; tries += 1) {
      clock.nowMs += 1000;
      await send(end);
      expect(await send('answer')).toBe('circuit_open');
    }
    expect(changes).toEqual([true]);
    clock.nowMs += 1000;
    expect(await send('answer')).toBe('answered');
    expect(changes).toEqual([true, false]);
  });

  it('is probed again while a probe hangs, and closes with the response to either', async () => {
    const { clock, changes, send, begin, open } = await startClient();
    await open();
    clock.nowMs += 1000;
    const hanging = await begin();
    clock.nowMs += 1000;
    await send('break');
    expect(await send('answer')).toBe('circuit_open');
    clock.nowMs += 1000;
    expect(await send('answer')).toBe('answered');
    hanging.break();
    expect(await hanging.outcome).toBe('failed');
    expect(await send('answer')).toBe('answered');
    expect(changes).toEqual([true, false]);
    await open();
    clock.nowMs += 1000;
    const slow = await begin();
    clock.nowMs += 1000;
    const slower = await begin();
    slow.answer();
    expect(await slow.outcome).toBe('answered');
    slower.break();
    expect(await slower.outcome).toBe('failed');
    expect(changes).toEqual([true, false, true, false]);
  });

  it('closes with a probe that is answered although an earlier request fails meanwhile', async () => {
    const { clock, send, begin, open } = await startClient();
    const earlier = await begin();
    await open();
    clock.nowMs += 1000;
    const probe = await begin();
    earlier.break();
    await earlier.outcome;
    probe.answer();
    expect(await probe.outcome).toBe('answered');
    expect(await send('answer')).toBe('answered');
  });
});
