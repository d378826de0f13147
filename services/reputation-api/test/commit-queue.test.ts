import { AppError } from '@lobbystats/errors';
import { CommitQueue, type CommitQueueOptions } from '../src/domain/commit-queue.ts';

const pause = () => new Promise<void>((resolve) => setImmediate(resolve));

/** A queue whose commits are those of `commit`; each wish comes out as it went in. */
function queueOf(
  commit: (wishes: readonly string[]) => Promise<void>,
  options: Partial<CommitQueueOptions<string, string>> = {},
) {
  const commits: string[][] = [];
  const queue = new CommitQueue<string, string>({
    commit: async (wishes) => {
      commits.push([...wishes]);
      await commit(wishes);
      return wishes.map((wish) => wish.toUpperCase());
    },
    pause,
    elapsedMs: () => 0,
    gatherMs: 10,
    together: 3,
    waiting: 100,
    withinMs: 1000,
    ...options,
  });
  return { queue, commits };
}

describe('wishes that come at once', () => {
  it('are committed together, in their order, as many as may be', async () => {
    const { queue, commits } = queueOf(async () => undefined);
    const outcomes = await Promise.all(['a', 'b', 'c', 'd'].map((wish) => queue.add(wish)));
    expect(outcomes).toEqual(['A', 'B', 'C', 'D']);
    expect(commits).toEqual([['a', 'b', 'c'], ['d']]);
    expect(await queue.add('e')).toBe('E');
  });

  it('are answered once they are durable', async () => {
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

  it('wait for the commit that is under way, and join', async () => {
    const gates = [Promise.withResolvers<undefined>(), Promise.withResolvers<undefined>()];
    const waiting = [...gates];
    const { queue, commits } = queueOf(async () => waiting.shift()?.promise);
    const first = queue.add('a');
    while (commits.length === 0) await pause();
    const others = ['b', 'c'].map((wish) => queue.add(wish));
    gates[0]?.resolve(undefined);
    await first;
    gates[1]?.resolve(undefined);
    await Promise.all(others);
    expect(commits).toEqual([['a'], ['b', 'c']]);
  });

  it('are waited for while turn after turn brings some', async () => {
    const { queue, commits } = queueOf(async () => undefined, { together: 100 });
    const adding = [queue.add('a')];
    for (const wish of ['b', 'c', 'd']) {
      adding.push(queue.add(wish));
      await pause();
    }
    await Promise.all(adding);
    expect(commits).toEqual([['a', 'b', 'c', 'd']]);
  });

  it('are waited for no longer than somebody may be kept waiting', async () => {
    let nowMs = 0;
    const { queue, commits } = queueOf(async () => undefined, { together: 100, elapsedMs: () => nowMs });
    const adding: Promise<string>[] = [];
    for (const wish of ['a', 'b', 'c', 'd']) {
      adding.push(queue.add(wish));
      await pause();
      nowMs += 5;
    }
    await Promise.all(adding);
    expect(commits.length).toBeGreaterThan(1);
  });

  it('fail alone where one can’t be committed', async () => {
    const { queue, commits } = queueOf(async (wishes) => {
      if (wishes.includes('bad')) throw new Error('bad');
    });
    const outcomes = await Promise.allSettled(['a', 'bad', 'c'].map((wish) => queue.add(wish)));
    expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
    expect(commits).toEqual([['a', 'bad', 'c'], ['a'], ['bad'], ['c']]);
  });

  it('fail together, at once, where the store is away', async () => {
    const away = new AppError('unavailable', 'away');
    const { queue, commits } = queueOf(() => Promise.reject(away));
    const outcomes = await Promise.allSettled(['a', 'b'].map((wish) => queue.add(wish)));
    expect(outcomes).toEqual([
      { status: 'rejected', reason: away },
      { status: 'rejected', reason: away },
    ]);
    expect(commits).toHaveLength(1);
  });

  it('are refused when too many wait', async () => {
    const { queue } = queueOf(async () => undefined, { waiting: 2 });
    const outcomes = await Promise.allSettled(['a', 'b', 'c'].map((wish) => queue.add(wish)));
    expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'rejected']);
    expect(outcomes[2]).toMatchObject({ reason: { code: 'unavailable' } });
    expect(await queue.add('d')).toBe('D');
  });

  it('are not committed any more when nobody waits for them', async () => {
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
