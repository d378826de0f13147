import fc from 'fast-check';
import { requestQueue, type Urgency } from '../src/sources/client/request-queue.ts';

beforeEach(() => {
  jest.useFakeTimers({ doNotFake: ['queueMicrotask', 'nextTick'] });
});
afterEach(() => {
  jest.restoreAllMocks();
  jest.useRealTimers();
});

const signal = new AbortController().signal;

/** A queue of requests that are ready to be sent. */
function queueOf(perSecond: number) {
  const queue = requestQueue({ perSecond: () => perSecond, signal });
  return {
    add: async <Result>(task: () => Result, urgency: Urgency = 'usual'): Promise<Result> => {
      await queue.turn(urgency, () => true);
      return task();
    },
  };
}

/** When each of `count` requests that are queued at once starts, in milliseconds. */
async function startTimesOf(count: number, perSecond: number): Promise<number[]> {
  const queue = queueOf(perSecond);
  const began = Date.now();
  const starts = Array.from({ length: count }, () => queue.add(() => Date.now() - began));
  await jest.advanceTimersByTimeAsync(4000);
  return Promise.all(starts);
}

/** Delays the next timer by `lateMs`, as on a busy machine. */
function delayNextTimer(lateMs: number): void {
  const { setTimeout: original } = globalThis;
  jest
    .spyOn(globalThis, 'setTimeout')
    .mockImplementationOnce((callback, ms) => original(callback, Number(ms) + lateMs));
}

describe('requestQueue', () => {
  it('spreads requests evenly over a little more than a second', async () => {
    expect(await startTimesOf(5, 20)).toEqual([0, 53, 105, 158, 210]);
  });

  it('sends less than one request a second', async () => {
    expect(await startTimesOf(2, 0.5)).toEqual([0, 2100]);
  });

  it('catches up after a late timer', async () => {
    const queue = queueOf(20);
    const began = Date.now();
    const starts = Array.from({ length: 7 }, () => queue.add(() => Date.now() - began));
    await jest.advanceTimersByTimeAsync(100);
    delayNextTimer(30);
    await jest.advanceTimersByTimeAsync(3000);
    expect(await Promise.all(starts)).toEqual([0, 53, 105, 188, 210, 263, 315]);
  });

  it('sends no burst after a pause of the process', async () => {
    const queue = queueOf(20);
    const began = Date.now();
    const starts = Array.from({ length: 12 }, () => queue.add(() => Date.now() - began));
    await jest.advanceTimersByTimeAsync(100);
    delayNextTimer(10_000);
    await jest.advanceTimersByTimeAsync(20_000);
    const [next, ...later] = (await Promise.all(starts)).slice(3);
    expect(later.filter((start) => start === next).length).toBeLessThanOrEqual(5);
    expect(later.at(-1)).toBeGreaterThan(Number(next));
  });

  it('continues when the wall clock is set back', async () => {
    const queue = queueOf(10);
    const all = Array.from({ length: 20 }, () => queue.add(() => undefined));
    await jest.advanceTimersByTimeAsync(500);
    jest.setSystemTime(Date.now() - 3_600_000);
    await jest.advanceTimersByTimeAsync(2000);
    await expect(Promise.all(all)).resolves.toHaveLength(20);
  });

  it('starts at most perSecond requests in any second, and no fewer than the rate allows', async () => {
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 1, max: 300 }), async (perSecond) => {
        const starts = await startTimesOf(2 * perSecond, perSecond);
        const inSecondFrom = starts.map((begin) => starts.filter((at) => at >= begin && at < begin + 1000).length);
        expect(Math.max(...inSecondFrom)).toBeLessThanOrEqual(perSecond);
        expect(starts.at(-1)).toBeLessThan(2300);
      }),
      { numRuns: 30 },
    );
  });

  it('starts none until a request can be sent', async () => {
    const { promise, resolve } = Promise.withResolvers<undefined>();
    const queue = requestQueue({ perSecond: () => 20, signal, ready: () => promise });
    let isStarted = false;
    const turn = queue.turn('usual', () => true).then(() => (isStarted = true));
    await jest.advanceTimersByTimeAsync(1000);
    expect(isStarted).toBe(false);
    resolve(undefined);
    await turn;
  });

  it('starts requests in order of priority', async () => {
    const queue = queueOf(10);
    const order: string[] = [];
    const request = (name: string, urgency: Urgency = 'usual') => queue.add(() => order.push(name), urgency);
    const all = [request('a'), request('board', 'last'), request('b'), request('past', 'first')];
    await jest.advanceTimersByTimeAsync(1000);
    await Promise.all(all);
    expect(order).toEqual(['a', 'past', 'b', 'board']);
  });
});
