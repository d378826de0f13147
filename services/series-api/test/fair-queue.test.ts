import fc from 'fast-check';
import { FairQueue } from '../src/analysts/fair-queue.ts';

const everyone = () => true;

describe('FairQueue', () => {
  it('serves names in turn, whatever each has queued', () => {
    const queue = new FairQueue<string>();
    for (const item of ['a1', 'a2', 'a3']) queue.enqueue('a', item);
    queue.enqueue('b', 'b1');
    const served = Array.from({ length: 5 }, () => queue.dequeue(everyone));
    expect(served).toEqual(['a1', 'b1', 'a2', 'a3', undefined]);
  });

  it('passes over a name that may not have its turn, which keeps its place', () => {
    const queue = new FairQueue<string>();
    for (const name of ['a', 'b', 'c', 'b']) queue.enqueue(name, name);
    const served = [(name: string) => name !== 'a', everyone, everyone].map((mayBeServed) =>
      queue.dequeue(mayBeServed),
    );
    expect(served).toEqual(['b', 'a', 'c']);
    expect(queue.dequeue((name) => name !== 'b')).toBeUndefined();
    expect(queue.names()).toEqual(['b']);
  });

  it('returns every item once, except removed ones', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.nat(3), fc.boolean())), (entries) => {
        const queue = new FairQueue<number>();
        const expected: number[] = [];
        for (const [index, [name, isRemoved]] of entries.entries()) {
          const entry = queue.enqueue(String(name), index);
          if (isRemoved) entry.remove();
          else expected.push(index);
        }
        expect(queue.size).toBe(expected.length);
        const taken = expected.map(() => Number(queue.dequeue(everyone)));
        expect(taken.toSorted((a, b) => a - b)).toEqual(expected);
        expect([queue.size, queue.dequeue(everyone)]).toEqual([0, undefined]);
      }),
    );
  });
});
