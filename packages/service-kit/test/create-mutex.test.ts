import { createMutex } from '../src/index.ts';

describe('createMutex', () => {
  it('runs work one at a time in the order of the calls', async () => {
    const inTurn = createMutex();
    const done: string[] = [];
    const first = Promise.withResolvers<undefined>();
    const works = [
      inTurn(async () => {
        await first.promise;
        done.push('first');
      }),
      inTurn(async () => void done.push('second')),
    ];
    await Promise.resolve();
    expect(done).toEqual([]);
    first.resolve(undefined);
    await Promise.all(works);
    expect(done).toEqual(['first', 'second']);
  });

  it('continues after failed work, and each call gets its own outcome', async () => {
    const inTurn = createMutex();
    const failed = inTurn(() => Promise.reject(new Error('broken')));
    const next = inTurn(async () => 'whole');
    await expect(failed).rejects.toThrow('broken');
    expect(await next).toBe('whole');
  });
});
