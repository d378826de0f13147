import { BrokenCircuitError } from 'cockatiel';
import { UpstreamBreaker } from '../src/upstreams/upstream-breaker.http.ts';

class FailureError extends Error {}

function breakerAt(startMs = 0) {
  const clock = { nowMs: startMs };
  const changes: boolean[] = [];
  const breaker = new UpstreamBreaker({
    isFailure: (error) => error instanceof FailureError,
    onChange: (isOpen) => changes.push(isOpen),
    now: () => clock.nowMs,
  });
  const succeed = () => breaker.execute(() => Promise.resolve('answer'));
  const fail = (error: Error = new FailureError()) =>
    breaker.execute(() => Promise.reject(error)).catch(() => undefined);
  const begin = () => {
    const request = Promise.withResolvers<string>();
    const outcome = breaker.execute(() => request.promise).catch((error: unknown) => error);
    return { ...request, outcome };
  };
  const open = async () => {
    for (let i = 0; i < 5; i += 1) await fail();
  };
  const expectRefused = () => expect(succeed()).rejects.toThrow(BrokenCircuitError);
  return { clock, changes, succeed, fail, begin, open, expectRefused };
}

describe('closed circuit breaker', () => {
  it('opens after five consecutive failures', async () => {
    const { changes, fail, open, succeed, expectRefused } = breakerAt();
    for (let i = 0; i < 4; i += 1) await fail();
    await succeed();
    for (let i = 0; i < 4; i += 1) await fail();
    expect(changes).toEqual([]);
    await succeed();
    await open();
    expect(changes).toEqual([true]);
    await expectRefused();
  });

  it('counts other errors neither as failure nor as success', async () => {
    const { changes, fail } = breakerAt();
    for (let i = 0; i < 4; i += 1) await fail();
    for (let i = 0; i < 10; i += 1) await fail(new Error('shed'));
    expect(changes).toEqual([]);
    await fail();
    expect(changes).toEqual([true]);
  });
});

describe('open circuit breaker', () => {
  it('sends one probe after 1 s, and closes when it succeeds', async () => {
    const { clock, changes, begin, open, succeed, expectRefused } = breakerAt();
    await open();
    clock.nowMs = 999;
    await expectRefused();
    clock.nowMs = 1000;
    const probe = begin();
    clock.nowMs = 1999;
    await expectRefused();
    probe.resolve('answer');
    await expect(probe.outcome).resolves.toBe('answer');
    await expect(succeed()).resolves.toBe('answer');
    expect(changes).toEqual([true, false]);
  });

  it.each<[string, Error]>([
    ['fails', new FailureError()],
    ['is shed or cancelled', new Error('shed')],
  ])('stays open for another second when the probe %s', async (_what, error) => {
    const { clock, changes, fail, open, succeed, expectRefused } = breakerAt();
    await open();
    for (let tries = 1; tries <= 3; tries += 1) {
      clock.nowMs += 1000;
      await fail(error);
      await expectRefused();
    }
    expect(changes).toEqual([true]);
    clock.nowMs += 1000;
    await expect(succeed()).resolves.toBe('answer');
    expect(changes).toEqual([true, false]);
  });

  it('probes again after another second when a probe hangs, and closes when either succeeds', async () => {
    const { clock, changes, begin, fail, open, succeed, expectRefused } = breakerAt();
    await open();
    clock.nowMs += 1000;
    const hanging = begin();
    clock.nowMs += 1000;
    await fail();
    await expectRefused();
    clock.nowMs += 1000;
    await expect(succeed()).resolves.toBe('answer');
    await expect(succeed()).resolves.toBe('answer');
    hanging.reject(new FailureError());
    await expect(hanging.outcome).resolves.toBeInstanceOf(FailureError);
    await expect(succeed()).resolves.toBe('answer');
    expect(changes).toEqual([true, false]);
    await open();
    clock.nowMs += 1000;
    const slow = begin();
    clock.nowMs += 1000;
    const slower = begin();
    slow.resolve('answer');
    await expect(slow.outcome).resolves.toBe('answer');
    await expect(succeed()).resolves.toBe('answer');
    slower.reject(new FailureError());
    await expect(slower.outcome).resolves.toBeInstanceOf(FailureError);
    expect(changes).toEqual([true, false, true, false]);
  });

  it('is not stuck when an earlier request fails during a probe', async () => {
    const { clock, begin, open, succeed, expectRefused } = breakerAt();
    const earlier = begin();
    await open();
    clock.nowMs += 1000;
    const probe = begin();
    earlier.reject(new FailureError());
    await earlier.outcome;
    probe.resolve('answer');
    await expect(probe.outcome).resolves.toBe('answer');
    await expectRefused();
    clock.nowMs += 1000;
    await expect(succeed()).resolves.toBe('answer');
  });

  it('probes after 1 s even when the wall clock was set back', async () => {
    const { clock, open, succeed } = breakerAt();
    const wallClock = jest.spyOn(Date, 'now');
    try {
      wallClock.mockReturnValue(7_200_000);
      await open();
      wallClock.mockReturnValue(3_600_000);
      clock.nowMs += 1000;
      await expect(succeed()).resolves.toBe('answer');
    } finally {
      wallClock.mockRestore();
    }
  });
});
