import type { BoardJob } from '../src/leaderboards/board.ts';
import { createDueBoardEnqueuer, groupDueIn, groupOf, SLOTS_PER_PASS } from '../src/leaderboards/board-schedule.ts';
import type { CollectorStore } from '../src/database/collector-store.ts';
import type { ObservationPublisher } from '../src/messages/observation-publisher.ts';
import { openSqliteCollectorStore } from '../src/database/collector-store.sqlite.ts';
import { silentTelemetry } from './silent-telemetry.ts';

const HOUR = 1_799_996_400;
const TITLE = '4d530064';

let store: CollectorStore;
let enqueuedJobs: { job: BoardJob; expiresAtMs: number }[];
let handOut: (slot: number) => Promise<void>;

beforeEach(async () => {
  store = openSqliteCollectorStore('sqlite::memory:', 'simulated');
  await store.boards.updateListing(
    TITLE,
    Array.from({ length: 600 }, (_, id) => ({ id, name: `Board ${id}` })),
  );
  enqueuedJobs = [];
  const wantBoard: ObservationPublisher['enqueueBoard'] = async (job, expiresAtMs) => {
    enqueuedJobs.push({ job, expiresAtMs });
    await Promise.resolve();
  };
  const publisher = { enqueueBoard: wantBoard } as unknown as ObservationPublisher;
  handOut = createDueBoardEnqueuer({
    boards: store.boards,
    backfill: store.boardBackfill,
    publisher,
    telemetry: silentTelemetry,
  });
});
afterEach(() => store.close());

const filled = async () => {
  await store.boardBackfill.begin({ fromPass: HOUR, toPass: HOUR });
  await store.boardBackfill.advance(null, { next: null, reached: HOUR, published: [] });
};

describe('createDueBoardEnqueuer', () => {
  it('enqueues each board once an hour, in its own slot, with an expiry at the end of the hour', async () => {
    await filled();
    for (let slotIndex = 0; slotIndex < SLOTS_PER_PASS; slotIndex += 1) {
      const before = enqueuedJobs.length;
      const slot = HOUR + slotIndex * 300;
      await handOut(slot);
      const { length } = enqueuedJobs.slice(before).filter(({ job }) => groupOf(job) === groupDueIn(slot));
      expect(length).toBe(enqueuedJobs.length - before);
    }
    expect(enqueuedJobs.map(({ job }) => job.leaderboardId).sort((one, other) => one - other)).toEqual(
      Array.from({ length: 600 }, (_, id) => id),
    );
    expect(new Set(enqueuedJobs.map(({ expiresAtMs }) => expiresAtMs))).toEqual(new Set([(HOUR + 3600) * 1000]));
  });

  it('enqueues the boards of a slot in another order each hour, so that none is always the last', async () => {
    await filled();
    const orderIn = async (pass: number) => {
      enqueuedJobs = [];
      for (let slot = pass; slot < pass + 3600; slot += 300) if (groupDueIn(slot) === 0) await handOut(slot);
      expect(new Set(enqueuedJobs.map(({ job }) => job.pass))).toEqual(new Set([pass]));
      return enqueuedJobs.map(({ job }) => job.leaderboardId);
    };
    const [first, second] = [await orderIn(HOUR), await orderIn(HOUR + 3600)];
    expect(second).not.toEqual(first);
    expect([...second].sort()).toEqual([...first].sort());
    expect(second.at(-1)).not.toBe(first.at(-1));
  });

  it('enqueues no board before the backfill of leaderboards is done', async () => {
    await handOut(HOUR);
    await store.boardBackfill.begin({ fromPass: HOUR - 3600, toPass: HOUR });
    await handOut(HOUR);
    expect(enqueuedJobs).toEqual([]);
  });

  it('enqueues pending retries of the hour beside the due boards, at most 100 of them at once', async () => {
    await filled();
    await handOut(HOUR);
    const due = enqueuedJobs.length;
    for (let id = 0; id < 600; id += 1)
      await store.boards.setPendingRetry({ titleId: TITLE, leaderboardId: id }, HOUR + 600 - id);
    enqueuedJobs = [];
    await handOut(HOUR);
    expect(enqueuedJobs.length).toBeGreaterThan(due);
    expect(enqueuedJobs.length).toBeLessThanOrEqual(due + 100);
    // The retries with the oldest attempts.
    const handedOut = new Set(enqueuedJobs.map(({ job }) => job.leaderboardId));
    for (let id = 500; id < 600; id += 1) expect(handedOut).toContain(id);
    enqueuedJobs = [];
    await handOut(HOUR + 3600 + 300);
    expect(enqueuedJobs).toHaveLength(due);
  });
});
