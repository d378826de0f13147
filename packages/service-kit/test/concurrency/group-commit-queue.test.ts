import { AppError } from '@lobbystats/contracts/errors';
import { GroupCommitQueue, type GroupCommitQueueOptions } from '../../src/concurrency/index.ts';

const pause = () => new Promise<void>((resolve) => setImmediate(resolve));

/** Creates a queue that records its commits; the outcome of an item is its text in upper case. */
function queueOf(
  commit: (items: readonly string[]) => Promise<void>,
  options: Partial<GroupCommitQueueOptions<string, string>> = {},
) {
  const commits: string[][] = [];
  const queue = new GroupCommitQueue<string, string>({
    commit: async (items) => {
      commits.push([...items]);
      await commit(items);
      return items.map((item) => item.toUpperCase());
    },
    elapsedMs: () => 0,
    maxDelayMs: 10,
    maxBatch: 3,
    maxPending: 100,
    items: 'ratings',
    timeoutMs: 1000,
    ...options,
  });
  return { queue, commits };
}

describe('GroupCommitQueue', () => {
  it('commits waiting items together, in order, up to the maximum batch', async () => {
    const { queue, commits } = queueOf(async () => undefined);
    const outcomes = await Promise.all(['a', 'b', 'c', 'd'].map((item) => queue.add(item)));
    expect(outcomes).toEqual(['A', 'B', 'C', 'D']);
    expect(commits).toEqual([['a', 'b', 'c'], ['d']]);
    expect(await queue.add('e')).toBe('E');
  });

  it('resolves an item only after its commit is durable', async () => {
    const { promise, resolve } = Promise.withResolvers<undefined>();
    const { queue, commits } = queueOf(() => promise);
    let answered = false;
    const adding = queue.add('a').then(() => {
      answered = true;
    });
    while (commits.length === 0) await pause();
    expect(answered).toBe(false);
    resolve(undefined);
    await adding;
    expect(answered).toBe(true);
  });

  it('batches items that arrive during a commit into the next one', async () => {
    const gates = [Promise.withResolvers<undefined>(), Promise.withResolvers<undefined>()];
    const waiting = [...gates];
    const { queue, commits } = queueOf(async () => waiting.shift()?.promise);
    const first = queue.add('a');
    while (commits.length === 0) await pause();
    const others = ['b', 'c'].map((item) => queue.add(item));
    gates[0]?.resolve(undefined);
    await first;
    gates[1]?.resolve(undefined);
    await Promise.all(others);
    expect(commits).toEqual([['a'], ['b', 'c']]);
  });

  it('delays a commit while each tick brings more items', async () => {
    const { queue, commits } = queueOf(async () => undefined, { maxBatch: 100 });
    const adding = [queue.add('a')];
    for (const item of ['b', 'c', 'd']) {
      adding.push(queue.add(item));
      await pause();
    }
    await Promise.all(adding);
    expect(commits).toEqual([['a', 'b', 'c', 'd']]);
  });

  it('delays a commit no longer than the maximum delay', async () => {
    let nowMs = 0;
    const { queue, commits } = queueOf(async () => undefined, { maxBatch: 100, elapsedMs: () => nowMs });
    const adding: Promise<string>[] = [];
    for (const item of ['a', 'b', 'c', 'd']) {
      adding.push(queue.add(item));
      await pause();
      nowMs += 5;
    }
    await Promise.all(adding);
    expect(commits.length).toBeGreaterThan(1);
  });

  it('retries items one by one when a batch fails, so that only the bad one is rejected', async () => {
    const { queue, commits } = queueOf(async (items) => {
      if (items.includes('bad')) throw new Error('bad');
    });
    const outcomes = await Promise.allSettled(['a', 'bad', 'c'].map((item) => queue.add(item)));
    expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
    expect(commits).toEqual([['a', 'bad', 'c'], ['a'], ['bad'], ['c']]);
  });

  it('rejects the whole batch at once when the store is unavailable', async () => {
    const away = new AppError('unavailable', 'away');
    const { queue, commits } = queueOf(() => Promise.reject(away));
    const outcomes = await Promise.allSettled(['a', 'b'].map((item) => queue.add(item)));
    expect(outcomes).toEqual([
      { status: 'rejected', reason: away },
      { status: 'rejected', reason: away },
    ]);
    expect(commits).toHaveLength(1);
  });

  it('rejects an item when the queue is full', async () => {
    const { queue } = queueOf(async () => undefined, { maxPending: 2 });
    const outcomes = await Promise.allSettled(['a', 'b', 'c'].map((item) => queue.add(item)));
    expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'rejected']);
    expect(outcomes[2]).toMatchObject({ reason: { code: 'unavailable' } });
    expect(await queue.add('d')).toBe('D');
  });

  it('rejects an item whose timeout has passed and never commits it', async () => {
    let nowMs = 0;
    const gate = Promise.withResolvers<undefined>();
    const { queue, commits } = queueOf(() => gate.promise, { elapsedMs: () => nowMs });
    const first = queue.add('a');
    while (commits.length === 0) await pause();
    const late = queue.add('b');
    nowMs = 1000;
    const inTime = queue.add('c');
    gate.resolve(undefined);
    await expect(late).rejects.toMatchObject({ code: 'unavailable' });
    expect(await Promise.all([first, inTime])).toEqual(['A', 'C']);
    expect(commits).toEqual([['a'], ['c']]);
  });
});
