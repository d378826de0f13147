import fc from 'fast-check';
import { createSemaphore } from '../../src/concurrency/index.ts';

describe('createSemaphore', () => {
  const never = () => new Promise<void>(() => undefined);
  const semaphoreOf = (permits: number, waitMs: number) =>
    createSemaphore({ permits, waitMs, createError: () => new Error('busy') });

  it('runs at most the given number of tasks at once and starts the next when one ends', async () => {
    const semaphore = semaphoreOf(2, 60_000);
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

  it('counts running and waiting tasks', async () => {
    const semaphore = semaphoreOf(2, 60_000);
    const ends = Array.from({ length: 3 }, () => Promise.withResolvers<undefined>());
    const tasks = ends.map(({ promise }) => semaphore.run(() => promise));
    expect([semaphore.running, semaphore.waiting]).toEqual([2, 1]);
    for (const { resolve } of ends) resolve(undefined);
    await Promise.all(tasks);
    expect([semaphore.running, semaphore.waiting]).toEqual([0, 0]);
  });

  it('never runs more tasks than permits, and none waits while a permit is free', async () => {
    const steps = fc.array(fc.constantFrom('start', 'end'), { maxLength: 40 });
    await fc.assert(
      fc.asyncProperty(steps, fc.integer({ min: 1, max: 4 }), async (commands, permits) => {
        const semaphore = semaphoreOf(permits, 60_000);
        const running: (() => void)[] = [];
        let unfinished = 0;
        for (const command of commands) {
          if (command === 'end') {
            if (running.length > 0) unfinished -= 1;
            running.shift()?.();
          } else {
            unfinished += 1;
            void semaphore.run(() => new Promise<void>((resolve) => running.push(resolve)));
          }
          await new Promise(setImmediate);
          expect(semaphore.running).toBe(Math.min(unfinished, permits));
          expect(semaphore.waiting).toBe(unfinished - semaphore.running);
        }
        // Tasks that still wait would reject in the time of another suite.
        while (semaphore.running > 0) {
          running.shift()?.();
          await new Promise(setImmediate);
        }
        expect(semaphore.waiting).toBe(0);
      }),
    );
  });

  it('rejects with the given error after the wait, and releases the permit of a failed task', async () => {
    const semaphore = semaphoreOf(1, 0);
    void semaphore.run(never);
    await expect(semaphore.run(never)).rejects.toThrow('busy');
    const others = semaphoreOf(1, 0);
    await expect(others.run(() => Promise.reject(new Error('lost')))).rejects.toThrow('lost');
    expect(await others.run(() => Promise.resolve('done'))).toBe('done');
  });
});
