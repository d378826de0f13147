import { QueryRejectedError, QueryScheduler, type ReleaseQuery } from '../src/analysts/query-scheduler.ts';

const neverAborted = new AbortController().signal;
const WAIT_MS = 30_000;

beforeEach(() => {
  jest.useFakeTimers();
});
afterEach(() => {
  jest.useRealTimers();
});

const createScheduler = ({ share = 1, burstMs = 0, clientBurstMs = 0, waitingMax: maxQueueLength = 10 } = {}) =>
  new QueryScheduler({ share, burstMs, clientBurstMs, waitMs: WAIT_MS, maxQueueLength, now: () => performance.now() });

/** Queues a query for each name; `served` lists them in the order they run, and `end` ends the running one. */
function acquireFor(scheduler: QueryScheduler, ...names: string[]) {
  const served: string[] = [];
  const refused: QueryRejectedError[] = [];
  let under: ReleaseQuery | undefined;
  for (const name of names) {
    scheduler.acquire(name, neverAborted).then(
      (end) => {
        served.push(name);
        under = end;
      },
      (error: unknown) => refused.push(error as QueryRejectedError),
    );
  }
  const settle = () => jest.advanceTimersByTimeAsync(0);
  return { served, refused, settle, end: () => under?.() };
}

describe('query scheduler', () => {
  it('runs one query at a time', async () => {
    const { served, settle, end } = acquireFor(createScheduler(), 'ada', 'ben');
    await settle();
    expect(served).toEqual(['ada']);
    end();
    end();
    await settle();
    expect(served).toEqual(['ada', 'ben']);
  });

  it('serves clients round-robin when one client queues several queries', async () => {
    const { served, settle, end } = acquireFor(createScheduler(), 'ada', 'ada', 'ada', 'ben', 'cleo', 'ben');
    for (let query = 0; query < 6; query += 1) {
      await settle();
      end();
    }
    expect(served).toEqual(['ada', 'ada', 'ben', 'cleo', 'ada', 'ben']);
  });

  it('delays the next query until the share pays off the debt, once the burst is used up', async () => {
    const { served, settle, end } = acquireFor(
      createScheduler({ share: 0.1, burstMs: 50, clientBurstMs: 50 }),
      'ada',
      'ada',
      'ada',
    );
    await settle();
    jest.advanceTimersByTime(40);
    end();
    await settle();
    expect(served).toHaveLength(2);
    jest.advanceTimersByTime(100);
    end();
    // 10 of 50 ms were left, 10 ms were earned, 100 ms were used: the debt is 80 ms.
    await jest.advanceTimersByTimeAsync(790);
    expect(served).toHaveLength(2);
    await jest.advanceTimersByTimeAsync(20);
    expect(served).toHaveLength(3);
  });

  it.each([6000, 60_000])('a query of %i ms delays its client, and nobody else', async (tookMs) => {
    const scheduler = createScheduler({ share: 0.1, burstMs: 60_000, clientBurstMs: 5000 });
    const first = acquireFor(scheduler, 'ada');
    await first.settle();
    jest.advanceTimersByTime(tookMs);
    first.end();
    const again = acquireFor(scheduler, 'ada');
    const other = acquireFor(scheduler, 'ben', 'ben');
    await other.settle();
    other.end();
    await other.settle();
    expect([again.served, other.served]).toEqual([[], ['ben', 'ben']]);
  });

  it('all clients together exceed the share by no more than one credit and one query', async () => {
    const scheduler = createScheduler({ share: 0.1, burstMs: 60_000, clientBurstMs: 5000 });
    const served: number[] = [];
    for (let client = 0; client < 20; client += 1) {
      const query = acquireFor(scheduler, `client ${client}`);
      await query.settle();
      if (query.served.length > 0) served.push(client);
      jest.advanceTimersByTime(6000);
      query.end();
    }
    // The credit of 60 s, the 6 s that were earned meanwhile, and the query that overdraws.
    expect(served).toHaveLength(12);
  });

  it('a client whose debt is paid first has its turn first', async () => {
    const scheduler = createScheduler({ share: 0.1, burstMs: 60_000, clientBurstMs: 0 });
    const charge = async (name: string, ms: number) => {
      const query = acquireFor(scheduler, name);
      await query.settle();
      jest.advanceTimersByTime(ms);
      query.end();
    };
    await charge('ada', 2000);
    await charge('ben', 500);
    const { served, settle } = acquireFor(scheduler, 'ada', 'ben');
    await settle();
    expect(served).toEqual([]);
    await jest.advanceTimersByTimeAsync(5000);
    expect(served).toEqual(['ben']);
  });

  it('skips a queued query whose client has disconnected', async () => {
    const scheduler = createScheduler();
    const first = acquireFor(scheduler, 'ada');
    await first.settle();
    const leaving = new AbortController();
    const left = scheduler.acquire('ben', leaving.signal).catch((error: unknown) => error);
    const last = acquireFor(scheduler, 'cleo');
    leaving.abort(new Error('gone'));
    expect(await left).toEqual(new Error('gone'));
    first.end();
    await last.settle();
    expect(last.served).toEqual(['cleo']);
    await expect(scheduler.acquire('ben', leaving.signal)).rejects.toThrow('gone');
  });

  it('rejects a query that has waited longer than the maximum wait', async () => {
    const { served, refused, settle } = acquireFor(createScheduler(), 'ada', 'ben');
    await settle();
    await jest.advanceTimersByTimeAsync(WAIT_MS);
    expect(served).toEqual(['ada']);
    expect(refused).toEqual([new QueryRejectedError('Another query takes long', 5)]);
  });

  it('names the exhausted share as the reason when a query timed out waiting for it', async () => {
    const { served, refused, settle, end } = acquireFor(createScheduler({ share: 0.1 }), 'ada', 'ben', 'cleo');
    for (const name of ['ada', 'ben']) {
      await settle();
      expect(served.at(-1)).toBe(name);
      jest.advanceTimersByTime(2000);
      end();
      await jest.advanceTimersByTimeAsync(20_000);
    }
    expect(refused).toEqual([new QueryRejectedError('The share of time for queries is used up', 8)]);
  });

  it('rejects a query at once, with a retry time, when the debt exceeds the maximum wait', async () => {
    const scheduler = createScheduler({ share: 0.1 });
    const first = acquireFor(scheduler, 'ada');
    await first.settle();
    jest.advanceTimersByTime(10_000);
    first.end();
    const second = acquireFor(scheduler, 'ada');
    await second.settle();
    expect(second.refused.map(({ retryAfterSeconds }) => retryAfterSeconds)).toEqual([100]);
    await jest.advanceTimersByTimeAsync(100_000);
    const third = acquireFor(scheduler, 'ada');
    await third.settle();
    expect(third.served).toEqual(['ada']);
  });

  it('rejects a query when the queue is full', async () => {
    const { refused, settle } = acquireFor(createScheduler({ waitingMax: 2 }), 'ada', 'ben', 'cleo', 'dan');
    await settle();
    expect(refused.map(({ message }) => message)).toEqual(['Too many queries wait']);
  });
});
