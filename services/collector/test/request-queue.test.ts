import fc from 'fast-check';
import { PRIORITIES, requestQueue } from '../src/adapters/http/request-queue.ts';

beforeEach(() => {
  jest.useFakeTimers({ doNotFake: ['queueMicrotask', 'nextTick', 'performance'] });
});
afterEach(() => {
  jest.useRealTimers();
});

/** When each of `count` requests that are queued at once starts, in milliseconds. */
async function startsOf(count: number, perSecond: number): Promise<number[]> {
  const queue = requestQueue(perSecond);
  const began = Date.now();
  const starts = Array.from({ length: count }, () => queue.add(() => Date.now() - began));
  await jest.advanceTimersByTimeAsync(4000);
  return Promise.all(starts);
}

describe('the queue of requests', () => {
  it('spreads them over the second in tenths', async () => {
    expect(await startsOf(5, 20)).toEqual([0, 0, 100, 100, 200]);
  });

  it('lets no second have more than allowed, and hardly fewer', async () => {
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 1, max: 300 }), async (perSecond) => {
        const starts = await startsOf(2 * perSecond, perSecond);
        for (const begin of starts) {
          expect(starts.filter((start) => start >= begin && start < begin + 1000).length).toBeLessThanOrEqual(
            perSecond,
          );
        }
        expect(starts.at(-1)).toBeLessThan(2300);
      }),
      { numRuns: 30 },
    );
  });

  it('starts first what is urgent, and last what can wait', async () => {
    const queue = requestQueue(10);
    const order: string[] = [];
    const request = (name: string, priority = PRIORITIES.usual) => queue.add(() => order.push(name), { priority });
    const all = [request('a'), request('board', PRIORITIES.last), request('b'), request('past', PRIORITIES.first)];
    await jest.advanceTimersByTimeAsync(1000);
    await Promise.all(all);
    expect(order).toEqual(['a', 'past', 'b', 'board']);
  });
});
