import { serially } from '../src/index.ts';

describe('work that is done in turn', () => {
  it('begins when what came before is done, in the order in which it came', async () => {
    const inTurn = serially();
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

  it('goes on after work that failed, and tells each what became of its own', async () => {
    const inTurn = serially();
    const failed = inTurn(() => Promise.reject(new Error('broken')));
    const next = inTurn(async () => 'whole');
    await expect(failed).rejects.toThrow('broken');
    expect(await next).toBe('whole');
  });
});
