import type { Running } from '@lobbystats/message-bus';
import { cleanUp, eventually } from '@lobbystats/test-kit';
import { keepFollowing } from '../src/messaging/keep-following.ts';

/** Followers that a test makes succeed, fail and break, one after the other. */
function follower(outcomes: ('follows' | 'fails' | 'breaks at once')[]) {
  const breaks: ((error: unknown) => void)[] = [];
  const state = { attempts: 0, running: 0, faults: [] as [string, number][] };
  const following = keepFollowing({
    follow: async (onFault): Promise<Running> => {
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

describe('following, kept up', () => {
  it('begins at once', async () => {
    const { following, state } = follower([]);
    await following.attempted;
    expect([following.isCurrent(), state.running, state.faults]).toEqual([true, 1, []]);
  });

  it('is tried until it succeeds, and says how often it has failed', async () => {
    const { following, state } = follower(['fails', 'fails', 'follows']);
    await following.attempted;
    expect(following.isCurrent()).toBe(false);
    await eventually(() => expect(following.isCurrent()).toBe(true));
    expect(state.faults).toEqual([
      ['attempt 1', 1],
      ['attempt 2', 2],
    ]);
  });

  it('is taken up again when it breaks off, and what broke is stopped', async () => {
    const { following, state, breaks } = follower(['follows', 'fails', 'follows']);
    await following.attempted;
    breaks[0]!(new Error('broken'));
    await eventually(() => expect([state.attempts, following.isCurrent()]).toEqual([3, true]));
    expect(state.running).toBe(1);
    expect(state.faults).toEqual([
      ['broken', 1],
      ['attempt 2', 2],
    ]);
  });

  it('notices that it broke off before it had quite begun', async () => {
    const { following, state } = follower(['breaks at once', 'follows']);
    await eventually(() => expect([state.attempts, following.isCurrent()]).toEqual([2, true]));
    expect([state.running, state.faults]).toEqual([1, [['break 1', 1]]]);
  });

  it('stops, for good', async () => {
    const { following, state, breaks } = follower([]);
    await following.attempted;
    await following.stop();
    breaks[0]!(new Error('too late'));
    await following.stop();
    expect([following.isCurrent(), state]).toEqual([false, { attempts: 1, running: 0, faults: [] }]);
  });

  it('stops while it waits for its next attempt', async () => {
    const following = keepFollowing({
      follow: () => Promise.reject(new Error('down')),
      onFault: () => undefined,
      retryMs: () => 3_600_000,
    });
    await following.attempted;
    await following.stop();
    expect(following.isCurrent()).toBe(false);
  });

  it('stops what comes of an attempt that was under way', async () => {
    const attempt = Promise.withResolvers<Running>();
    let stops = 0;
    const following = keepFollowing({ follow: () => attempt.promise, onFault: () => undefined });
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
