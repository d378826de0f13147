import { createMutex } from '../../src/concurrency/index.ts';

describe('createMutex', () => {
  it('runs work one at a time in the order of the calls', async () => {
    const runExclusive = createMutex();
    const done: string[] = [];
    const first = Promise.withResolvers<undefined>();
    const works = [
      runExclusive(async () => {
        await first.promise;
        done.push('first');
      }),
      runExclusive(async () => void done.push('second')),
    ];
    await Promise.resolve();
    expect(done).toEqual([]);
    first.resolve(undefined);
    await Promise.all(works);
    expect(done).toEqual(['first', 'second']);
  });

  it('continues after failed work, and each call gets its own outcome', async () => {
    const runExclusive = createMutex();
    const failed = runExclusive(() => Promise.reject(new Error('broken')));
    const next = runExclusive(async () => 'whole');
    await expect(failed).rejects.toThrow('broken');
    expect(await next).toBe('whole');
  });
});
