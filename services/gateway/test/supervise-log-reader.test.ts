import type { Subscription } from '@lobbystats/service-kit/bus';
import { cleanUp, eventually } from '@lobbystats/test-kit';
import { superviseLogReader } from '../src/facts/supervise-log-reader.bus.ts';

/** Supervises readers with scripted outcomes. */
function superviseScripted(outcomes: ('follows' | 'fails' | 'breaks at once')[]) {
  const breaks: ((error: unknown) => void)[] = [];
  const state = { attempts: 0, running: 0, faults: [] as [string, number][] };
  const following = superviseLogReader({
    start: async (onFault): Promise<Subscription> => {
      const outcome = outcomes[state.attempts] ?? 'follows';
      state.attempts += 1;
      if (outcome === 'fails') throw new Error(`attempt ${state.attempts}`);
      breaks.push(onFault);
      state.running += 1;
      if (outcome === 'breaks at once') onFault(new Error(`break ${state.attempts}`));
      return {
        stop: async () => {
          state.running -= 1;
        },
      };
    },
    onFault: (error, failures) => state.faults.push([(error as Error).message, failures]),
    retryMs: () => 1,
  });
  cleanUp(() => following.stop());
  return { following, state, breaks };
}

describe('log reader supervision', () => {
  it('starts the reader at once', async () => {
    const { following, state } = superviseScripted([]);
    await following.firstAttempt;
    expect([following.isCurrent(), state.running, state.faults]).toEqual([true, 1, []]);
  });

  it('retries until the reader starts, and reports the number of failures', async () => {
    const { following, state } = superviseScripted(['fails', 'fails', 'follows']);
    await following.firstAttempt;
    expect(following.isCurrent()).toBe(false);
    await eventually(() => expect(following.isCurrent()).toBe(true));
    expect(state.faults).toEqual([
      ['attempt 1', 1],
      ['attempt 2', 2],
    ]);
  });

  it('restarts a reader that failed, and stops the failed one', async () => {
    const { following, state, breaks } = superviseScripted(['follows', 'fails', 'follows']);
    await following.firstAttempt;
    breaks[0]!(new Error('broken'));
    await eventually(() => expect([state.attempts, following.isCurrent()]).toEqual([3, true]));
    expect(state.running).toBe(1);
    expect(state.faults).toEqual([
      ['broken', 1],
      ['attempt 2', 2],
    ]);
  });

  it('restarts a reader that failed during its start', async () => {
    const { following, state } = superviseScripted(['breaks at once', 'follows']);
    await eventually(() => expect([state.attempts, following.isCurrent()]).toEqual([2, true]));
    expect([state.running, state.faults]).toEqual([1, [['break 1', 1]]]);
  });

  it('does not restart after stop', async () => {
    const { following, state, breaks } = superviseScripted([]);
    await following.firstAttempt;
    await following.stop();
    breaks[0]!(new Error('too late'));
    await following.stop();
    expect([following.isCurrent(), state]).toEqual([false, { attempts: 1, running: 0, faults: [] }]);
  });

  it('stops while it waits for the next attempt', async () => {
    const following = superviseLogReader({
      start: () => Promise.reject(new Error('down')),
      onFault: () => undefined,
      retryMs: () => 3_600_000,
    });
    await following.firstAttempt;
    await following.stop();
    expect(following.isCurrent()).toBe(false);
  });

  it('stops a reader whose start completes after stop', async () => {
    const attempt = Promise.withResolvers<Subscription>();
    let stops = 0;
    const following = superviseLogReader({ start: () => attempt.promise, onFault: () => undefined });
    const stopped = following.stop();
    attempt.resolve({
      stop: async () => {
        stops += 1;
      },
    });
    await stopped;
    expect([stops, following.isCurrent()]).toEqual([1, false]);
  });
});
