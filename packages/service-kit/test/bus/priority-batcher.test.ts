import fc from 'fast-check';
import { PriorityBatcher } from '../../src/bus/priority-batcher.ts';

/** A batcher whose batches last until the test ends them. */
const stepwise = (max: number) => {
  const batches: (readonly string[])[] = [];
  let endBatch: () => void = () => undefined;
  const batcher = new PriorityBatcher<string>(max, (batch) => {
    batches.push(batch);
    return new Promise((resolve) => {
      endBatch = resolve;
    });
  });
  const end = async () => {
    endBatch();
    await new Promise(setImmediate);
  };
  return { batcher, batches, end };
};

describe('PriorityBatcher', () => {
  it('puts the items of one tick into the first batch, and those that arrive meanwhile into the next one', async () => {
    const { batcher, batches, end } = stepwise(10);
    batcher.add('a', false);
    batcher.add('b', true);
    expect(batches).toEqual([]);
    await new Promise(setImmediate);
    batcher.add('c', false);
    await new Promise(setImmediate);
    expect(batches).toEqual([['b', 'a']]);
    await end();
    expect(batches).toEqual([['b', 'a'], ['c']]);
  });

  it('releases waiting items when it stops, and waits for the running batch', async () => {
    const { batcher, batches, end } = stepwise(1);
    for (const item of ['a', 'b', 'c']) batcher.add(item, item === 'c');
    await new Promise(setImmediate);
    const released: string[] = [];
    let isStopped = false;
    const stopping = batcher.stop((item) => released.push(item)).then(() => (isStopped = true));
    expect(released).toEqual(['a', 'b']);
    await new Promise(setImmediate);
    expect(isStopped).toBe(false);
    await end();
    await stopping;
    expect(batches).toEqual([['c']]);
  });

  it('processes each item once, in bounded batches, urgent ones first and each kind in order of arrival', async () => {
    const arrivals = fc.array(fc.record({ isUrgent: fc.boolean(), ticks: fc.nat(2) }), { maxLength: 40 });
    await fc.assert(
      fc.asyncProperty(arrivals, fc.integer({ min: 1, max: 5 }), async (items, max) => {
        const waiting: Record<'true' | 'false', number[]> = { true: [], false: [] };
        const handled: number[] = [];
        let running = 0;
        const batcher = new PriorityBatcher<number>(max, async (batch) => {
          running += 1;
          expect(running).toBe(1);
          const urgent = waiting.true.splice(0, max);
          expect(batch).toEqual([...urgent, ...waiting.false.splice(0, max - urgent.length)]);
          handled.push(...batch);
          await new Promise(setImmediate);
          running -= 1;
        });
        for (const [index, { isUrgent, ticks }] of items.entries()) {
          waiting[`${isUrgent}`].push(index);
          batcher.add(index, isUrgent);
          for (let tick = 0; tick < ticks; tick += 1) await new Promise(setImmediate);
        }
        while (handled.length < items.length) await new Promise(setImmediate);
        await batcher.stop(() => expect('a waiting item').toBeUndefined());
        expect(handled.toSorted((a, b) => a - b)).toEqual(items.map((_, index) => index));
      }),
      { numRuns: 100 },
    );
  });
});
