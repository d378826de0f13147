import { KeyedMutex } from '../../src/concurrency/index.ts';
import { AppError } from '@lobbystats/contracts/errors';

/** Work that the test completes. */
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

describe('KeyedMutex', () => {
  it('runs work of one key in order and different keys concurrently', async () => {
    const mutex = new KeyedMutex();
    const [first, second, other] = [work(), work(), work()];
    const results = [
      mutex.runExclusive('a', first.run),
      mutex.runExclusive('a', second.run),
      mutex.runExclusive('b', other.run),
    ];
    await settled();
    expect([first.isBegun(), second.isBegun(), other.isBegun()]).toEqual([true, false, true]);
    first.resolve('1');
    second.resolve('2');
    other.resolve('3');
    expect(await Promise.all(results)).toEqual(['1', '2', '3']);
  });

  it('continues after the previous work was rejected', async () => {
    const mutex = new KeyedMutex();
    const refused = mutex.runExclusive('a', () => Promise.reject(new AppError('forbidden', 'No')));
    const next = mutex.runExclusive('a', () => Promise.resolve('2'));
    await expect(refused).rejects.toThrow('No');
    expect(await next).toBe('2');
  });

  it('rejects waiting work when the previous work found the store unavailable', async () => {
    const mutex = new KeyedMutex();
    const [waiting, later] = [work(), work()];
    const away = mutex.runExclusive('a', () => Promise.reject(new AppError('unavailable', 'Away')));
    const behind = mutex.runExclusive('a', waiting.run);
    await expect(away).rejects.toThrow('Away');
    await expect(behind).rejects.toThrow('Away');
    expect(waiting.isBegun()).toBe(false);
    later.resolve('back');
    expect(await mutex.runExclusive('a', later.run)).toBe('back');
  });
});
