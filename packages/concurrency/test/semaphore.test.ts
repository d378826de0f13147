import { createSemaphore } from '../src/index.ts';

describe('createSemaphore', () => {
  const never = () => new Promise<void>(() => undefined);
  const semaphoreOf = (permits: number, waitMs: number) =>
    createSemaphore({
      permits,
      waitMs,
      sleep: (ms, signal) => (ms === 0 ? Promise.resolve() : aborted(signal)),
      createError: () => new Error('busy'),
    });

  it('runs at most the given number of tasks at once and starts the next when one ends', async () => {
    const semaphore = semaphoreOf(2, 1);
    let inside = 0;
    let most = 0;
    const visit = () =>
      semaphore.run(async () => {
        inside += 1;
        most = Math.max(most, inside);
        await new Promise(setImmediate);
        inside -= 1;
      });
    await Promise.all(Array.from({ length: 9 }, visit));
    await visit().catch(() => undefined);
    expect([most, inside]).toEqual([2, 0]);
  });

  it('rejects with the given error after the wait, and releases the permit of a failed task', async () => {
    const semaphore = semaphoreOf(1, 0);
    void semaphore.run(never);
    await expect(semaphore.run(never)).rejects.toThrow('busy');
    const others = semaphoreOf(1, 0);
    await expect(others.run(() => Promise.reject(new Error('lost')))).rejects.toThrow('lost');
    expect(await others.run(() => Promise.resolve('done'))).toBe('done');
  });

  function aborted(signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => signal.addEventListener('abort', () => resolve()));
  }
});
