import { AppError } from '@lobbystats/errors';
import { Gathered, type Settled } from '../src/domain/gathered.ts';

/** Work that the test ends, portion by portion. */
const stepwise = () => {
  const portions: (readonly string[])[] = [];
  const ends: PromiseWithResolvers<readonly Settled<string>[]>[] = [];
  const gathered = new Gathered<string, string>((items) => {
    portions.push(items);
    const end = Promise.withResolvers<readonly Settled<string>[]>();
    ends.push(end);
    return end.promise;
  });
  const finish = (index: number) => {
    ends[index]?.resolve((portions[index] ?? []).map((item) => ({ result: item.toUpperCase() })));
  };
  return { gathered, portions, ends, finish };
};

describe('gathered work', () => {
  it('is done at once where nothing is under way, and what comes meanwhile together, in its order', async () => {
    const { gathered, portions, finish } = stepwise();
    const results = ['a', 'b', 'c'].map((item) => gathered.take('one', item));
    expect(portions).toEqual([['a']]);
    finish(0);
    expect(await results[0]).toBe('A');
    expect(portions).toEqual([['a'], ['b', 'c']]);
    finish(1);
    expect(await Promise.all(results)).toEqual(['A', 'B', 'C']);
  });

  it('on one thing holds up no other', () => {
    const { gathered, portions } = stepwise();
    void gathered.take('one', 'a');
    void gathered.take('other', 'b');
    expect(portions).toEqual([['a'], ['b']]);
  });

  it('is for each what became of it', async () => {
    const gathered = new Gathered<string, string>(async ([item = '']) => [
      item === 'bad' ? { error: new AppError('forbidden', 'No') } : { result: item },
    ]);
    const results = ['bad', 'good'].map((item) => gathered.take('one', item));
    await expect(results[0]).rejects.toThrow('No');
    await expect(results[1]).resolves.toBe('good');
  });

  it('goes on behind a refusal of all, and is given up behind a store that is away', async () => {
    const { gathered, ends, finish } = stepwise();
    const results = ['a', 'b'].map((item) => gathered.take('one', item));
    ends[0]?.reject(new AppError('not-found', 'Unknown'));
    await expect(results[0]).rejects.toThrow('Unknown');
    const behind = gathered.take('one', 'c');
    ends[1]?.reject(new AppError('unavailable', 'Away'));
    await expect(results[1]).rejects.toThrow('Away');
    await expect(behind).rejects.toThrow('Away');
    const later = gathered.take('one', 'd');
    finish(2);
    expect(await later).toBe('D');
  });

  it('is never more than a hundred things at once', async () => {
    const { gathered, portions, finish } = stepwise();
    const results = Array.from({ length: 202 }, (_, number) => gathered.take('one', String(number)));
    for (const index of [0, 1, 2, 3]) {
      finish(index);
      await results[Math.min(index * 100, 201)];
    }
    await Promise.all(results);
    expect(portions.map(({ length }) => length)).toEqual([1, 100, 100, 1]);
  });
});
