import { createMutex, KeyedMutex, SingleFlight } from '../../src/concurrency/index.ts';
import { AppError } from '@lobbystats/contracts/errors';

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

describe('SingleFlight', () => {
  it('runs work once for concurrent calls of a key, and again afterwards', async () => {
    const flights = new SingleFlight<string>();
    let runs = 0;
    const work = () => {
      runs += 1;
      return Promise.resolve(runs);
    };
    expect(await Promise.all(['a', 'a', 'b'].map((key) => flights.run(key, work)))).toEqual([1, 1, 2]);
    expect(await flights.run('a', work)).toBe(3);
  });

  it('rejects all concurrent calls with the error of the work, and runs it again afterwards', async () => {
    const flights = new SingleFlight<string>();
    const fails = () => Promise.reject(new Error('failed'));
    const [first, second] = await Promise.allSettled([
      flights.run('a', fails),
      flights.run('a', () => Promise.resolve(1)),
    ]);
    expect([first.status, second.status]).toEqual(['rejected', 'rejected']);
    await expect(flights.run('a', () => Promise.resolve(2))).resolves.toBe(2);
  });
});
