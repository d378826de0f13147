import { AppError } from '@lobbystats/errors';
import { Turns } from '../src/domain/turns.ts';

/** Work whose end the test says. */
const work = () => {
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  let begun = false;
  return {
    run: () => {
      begun = true;
      return promise;
    },
    resolve,
    reject,
    isBegun: () => begun,
  };
};

const settled = () => new Promise((resolve) => setImmediate(() => resolve(undefined)));

describe('turns', () => {
  it('come one after the other for one key, and at once for others', async () => {
    const turns = new Turns();
    const [first, second, other] = [work(), work(), work()];
    const results = [turns.take('a', first.run), turns.take('a', second.run), turns.take('b', other.run)];
    await settled();
    expect([first.isBegun(), second.isBegun(), other.isBegun()]).toEqual([true, false, true]);
    first.resolve('1');
    second.resolve('2');
    other.resolve('3');
    expect(await Promise.all(results)).toEqual(['1', '2', '3']);
  });

  it('go on when the one before was refused', async () => {
    const turns = new Turns();
    const refused = turns.take('a', () => Promise.reject(new AppError('forbidden', 'No')));
    const next = turns.take('a', () => Promise.resolve('2'));
    await expect(refused).rejects.toThrow('No');
    expect(await next).toBe('2');
  });

  it('are given up by those who wait when the one before found no store', async () => {
    const turns = new Turns();
    const [waiting, later] = [work(), work()];
    const away = turns.take('a', () => Promise.reject(new AppError('unavailable', 'Away')));
    const behind = turns.take('a', waiting.run);
    await expect(away).rejects.toThrow('Away');
    await expect(behind).rejects.toThrow('Away');
    expect(waiting.isBegun()).toBe(false);
    later.resolve('back');
    expect(await turns.take('a', later.run)).toBe('back');
  });
});
