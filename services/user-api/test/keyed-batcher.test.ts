import { KeyedBatcher, type ItemResult } from '../src/profiles/keyed-batcher.ts';
import { AppError } from '@lobbystats/contracts/errors';

/** Creates a batcher whose batches the test completes one by one. */
const stepwise = () => {
  const portions: (readonly string[])[] = [];
  const ends: PromiseWithResolvers<readonly ItemResult<string>[]>[] = [];
  const batcher = new KeyedBatcher<string, string>((items) => {
    portions.push(items);
    const end = Promise.withResolvers<readonly ItemResult<string>[]>();
    ends.push(end);
    return end.promise;
  });
  const finish = (index: number) => {
    ends[index]?.resolve((portions[index] ?? []).map((item) => ({ result: item.toUpperCase() })));
  };
  return { gathered: batcher, portions, ends, finish };
};

describe('KeyedBatcher', () => {
  it('runs the first item at once and batches items that arrive meanwhile, in order', async () => {
    const { gathered: batcher, portions, finish } = stepwise();
    const results = ['a', 'b', 'c'].map((item) => batcher.add('one', item));
    expect(portions).toEqual([['a']]);
    finish(0);
    expect(await results[0]).toBe('A');
    expect(portions).toEqual([['a'], ['b', 'c']]);
    finish(1);
    expect(await Promise.all(results)).toEqual(['A', 'B', 'C']);
  });

  it('runs different keys concurrently', () => {
    const { gathered: batcher, portions } = stepwise();
    void batcher.add('one', 'a');
    void batcher.add('other', 'b');
    expect(portions).toEqual([['a'], ['b']]);
  });

  it('settles each item with its own result', async () => {
    const batcher = new KeyedBatcher<string, string>(async ([item = '']) => [
      item === 'bad' ? { error: new AppError('forbidden', 'No') } : { result: item },
    ]);
    const results = ['bad', 'good'].map((item) => batcher.add('one', item));
    await expect(results[0]).rejects.toThrow('No');
    await expect(results[1]).resolves.toBe('good');
  });

  it('continues after a rejected batch, and fails waiting items when the store is unavailable', async () => {
    const { gathered: batcher, ends, finish } = stepwise();
    const results = ['a', 'b'].map((item) => batcher.add('one', item));
    ends[0]?.reject(new AppError('not-found', 'Unknown'));
    await expect(results[0]).rejects.toThrow('Unknown');
    const behind = batcher.add('one', 'c');
    ends[1]?.reject(new AppError('unavailable', 'Away'));
    await expect(results[1]).rejects.toThrow('Away');
    await expect(behind).rejects.toThrow('Away');
    const later = batcher.add('one', 'd');
    finish(2);
    expect(await later).toBe('D');
  });

  it('limits a batch to a hundred items', async () => {
    const { gathered: batcher, portions, finish } = stepwise();
    const results = Array.from({ length: 202 }, (_, number) => batcher.add('one', String(number)));
    for (const index of [0, 1, 2, 3]) {
      finish(index);
      await results[Math.min(index * 100, 201)];
    }
    await Promise.all(results);
    expect(portions.map(({ length }) => length)).toEqual([1, 100, 100, 1]);
  });
});
