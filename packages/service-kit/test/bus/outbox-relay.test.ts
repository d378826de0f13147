import { OutboxRelay, type MessageBus } from '../../src/bus/index.ts';

beforeEach(() => {
  jest.useFakeTimers();
});
afterEach(() => {
  jest.useRealTimers();
});

describe('a relay with an interval', () => {
  it('runs at once after a pause, then at most once per interval however often it is woken', async () => {
    const { relay, runs } = relayWith(50);
    await wake(relay);
    expect(runs()).toBe(1);
    await jest.advanceTimersByTimeAsync(1000);
    expect(runs()).toBe(1);
    for (let ms = 0; ms < 100; ms += 1) {
      relay.wake();
      await jest.advanceTimersByTimeAsync(1);
    }
    expect(runs()).toBe(4);
    await relay.stop();
  });

  it('runs once more after the last request', async () => {
    const { relay, runs } = relayWith(50);
    await wake(relay);
    await wake(relay);
    expect(runs()).toBe(1);
    await jest.advanceTimersByTimeAsync(50);
    expect(runs()).toBe(2);
    await jest.advanceTimersByTimeAsync(1000);
    expect(runs()).toBe(2);
    await relay.stop();
  });

  it('runs at once within an interval when it is not to wait for its end', async () => {
    const { relay, runs } = relayWith(50);
    await wake(relay);
    relay.wakeNow();
    await jest.advanceTimersByTimeAsync(0);
    expect(runs()).toBe(2);
    await relay.stop();
    relay.wakeNow();
    await jest.advanceTimersByTimeAsync(1000);
    expect(runs()).toBe(2);
  });

  it('does not run after it was stopped', async () => {
    const { relay, runs } = relayWith(50);
    await wake(relay);
    await wake(relay);
    await relay.stop();
    await jest.advanceTimersByTimeAsync(1000);
    expect(runs()).toBe(1);
  });
});

async function wake(relay: OutboxRelay): Promise<void> {
  relay.wake();
  await jest.advanceTimersByTimeAsync(0);
}

/** A relay of an empty outbox, which is read once per run. */
function relayWith(intervalMs: number) {
  const pending = jest.fn().mockResolvedValue([]);
  const outbox = { pending, remove: async () => undefined, backlog: async () => 0 };
  const logger = { info: () => undefined, warn: () => undefined };
  const relay = new OutboxRelay({ outbox, bus: {} as MessageBus, logger, intervalMs });
  return { relay, runs: () => pending.mock.calls.length };
}
