import { join } from 'node:path';
import { eventually } from '@lobbystats/test-kit';
import { createProcessPool, type ProcessEndedError, type ProcessPool } from '../../src/process-pool/index.ts';

/** Long enough for a response on a busy machine. */
const DEADLINE_MS = 2000;

let crashes: ProcessEndedError[];
let pool: ProcessPool<{ deed: string }, string>;

beforeEach(() => {
  crashes = [];
  pool = poolOf('pool-process.ts');
});
afterEach(() => pool.close());

function poolOf(fixture: string, idleMs = 60_000) {
  return createProcessPool<{ deed: string }, string>({
    entry: join(import.meta.dirname, 'fixtures', fixture),
    size: 1,
    memoryMb: 64,
    idleMs,
    onCrash: (error) => crashes.push(error),
  });
}

const run = (deed: string, { isUrgent = false, deadlineMs = DEADLINE_MS } = {}) =>
  pool.run({ deed }, { deadlineMs, isUrgent });

describe('createProcessPool', () => {
  it('resolves each task with its own result', async () => {
    const deeds = Array.from({ length: 20 }, (_, index) => `answer ${index}`);
    expect(await Promise.all(deeds.map((deed) => run(deed)))).toEqual(deeds);
  });

  it.each([
    ['deadline', 'loop', DEADLINE_MS],
    ['memory', 'allocate', 60_000],
    ['crash', 'exit', 60_000],
  ])('replaces a process that ends because of its %s', async (reason, deed, deadlineMs) => {
    await expect(run(deed, { deadlineMs })).rejects.toMatchObject({ name: 'ProcessEndedError', reason });
    expect(await run('answer')).toBe('answer');
    expect(crashes.map((crash) => crash.reason)).toEqual(reason === 'crash' ? ['crash'] : []);
  });

  it('does not count the time in the queue against the deadline', async () => {
    const looping = run('loop');
    const queued = run('answer');
    await expect(looping).rejects.toMatchObject({ reason: 'deadline' });
    expect(await queued).toBe('answer');
  });

  it('reads a long response after this process was blocked beyond the deadline', async () => {
    await run('answer');
    const answered = run('long answer', { deadlineMs: 500 });
    const blockedUntil = performance.now() + 1500;
    while (performance.now() < blockedUntil);
    expect((await answered).length).toBeGreaterThan(1_000_000);
  });

  it('runs urgent tasks before queued others', async () => {
    const done: string[] = [];
    const tasks = [run('first'), run('other'), run('urgent', { isUrgent: true })];
    await Promise.all(tasks.map((task) => task.then((deed) => done.push(deed))));
    expect(done.indexOf('urgent')).toBeLessThan(done.indexOf('other'));
  });

  it('ends a process that has no task, and starts another for the next one', async () => {
    pool = poolOf('pool-process.ts', 1);
    const first = await run('process id');
    const isGone = () => {
      expect(() => process.kill(Number(first), 0)).toThrow('ESRCH');
      return Promise.resolve();
    };
    await eventually(isGone);
    expect(await run('process id')).not.toBe(first);
    expect(crashes).toEqual([]);
  });

  it('rejects each task while no process can be started', async () => {
    pool = poolOf('no-such-file.ts');
    await expect(Promise.all([run('answer'), run('other')])).rejects.toThrow('No process could be started');
    expect(crashes.length).toBeGreaterThan(0);
  });

  it('rejects running, queued and new tasks once it is closed', async () => {
    const tasks = Promise.allSettled([run('loop', { deadlineMs: 60_000 }), run('answer')]);
    await pool.close();
    expect(await tasks).toMatchObject([{ status: 'rejected' }, { status: 'rejected' }]);
    await expect(run('answer')).rejects.toThrow('The pool is closed');
    expect(crashes).toEqual([]);
  });
});
