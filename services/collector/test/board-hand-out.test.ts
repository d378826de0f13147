import type { BoardJob } from '../src/domain/board.ts';
import { createBoardHandOut } from '../src/domain/board-hand-out.ts';
import { turnOf, TURNS } from '../src/domain/board-schedule.ts';
import type { CollectorStore } from '../src/domain/collector-store.ts';
import type { Outlet } from '../src/domain/outlet.ts';
import { openSqliteCollectorStore } from '../src/adapters/sqlite/open-sqlite-collector-store.ts';
import { silentTelemetry } from './silent-telemetry.ts';

const HOUR = 1_799_996_400;
const TITLE = '4d530064';

let store: CollectorStore;
let wanted: { job: BoardJob; expiresAtMs: number }[];
let handOut: (slot: number) => Promise<void>;

beforeEach(async () => {
  store = openSqliteCollectorStore('sqlite::memory:', 'simulated');
  await store.boards.list(
    TITLE,
    Array.from({ length: 600 }, (_, id) => ({ id, name: `Board ${id}` })),
  );
  wanted = [];
  const wantBoard: Outlet['wantBoard'] = async (job, expiresAtMs) => {
    wanted.push({ job, expiresAtMs });
    await Promise.resolve();
  };
  const outlet = { wantBoard } as unknown as Outlet;
  handOut = createBoardHandOut({ boards: store.boards, fill: store.boardFill, outlet, telemetry: silentTelemetry });
});
afterEach(() => store.close());

const filled = async () => {
  await store.boardFill.begin({ fromPass: HOUR, toPass: HOUR });
  await store.boardFill.advance(null, { next: null, reached: HOUR, said: [] });
};

describe('handing out boards', () => {
  it('hands out each once in an hour, in its turn, until the hour is over', async () => {
    await filled();
    for (let turn = 0; turn < TURNS; turn += 1) {
      const before = wanted.length;
      await handOut(HOUR + turn * 300);
      expect(wanted.slice(before).every(({ job }) => turnOf(job) === turn && job.pass === HOUR)).toBe(true);
    }
    expect(wanted.map(({ job }) => job.leaderboardId).sort((one, other) => one - other)).toEqual(
      Array.from({ length: 600 }, (_, id) => id),
    );
    expect(new Set(wanted.map(({ expiresAtMs }) => expiresAtMs))).toEqual(new Set([(HOUR + 3600) * 1000]));
  });

  it('hands out none before the past is brought in', async () => {
    await handOut(HOUR);
    await store.boardFill.begin({ fromPass: HOUR - 3600, toPass: HOUR });
    await handOut(HOUR);
    expect(wanted).toEqual([]);
  });

  it('hands out what is owed in the hour beside what is due, but not all at once', async () => {
    await filled();
    await handOut(HOUR);
    const due = wanted.length;
    for (let id = 0; id < 600; id += 1) await store.boards.owe({ titleId: TITLE, leaderboardId: id }, HOUR + 600 - id);
    wanted = [];
    await handOut(HOUR);
    expect(wanted.length).toBeGreaterThan(due);
    expect(wanted.length).toBeLessThanOrEqual(due + 100);
    // Those whose attempt is the oldest.
    const handedOut = new Set(wanted.map(({ job }) => job.leaderboardId));
    for (let id = 500; id < 600; id += 1) expect(handedOut).toContain(id);
    wanted = [];
    await handOut(HOUR + 3600);
    expect(wanted).toHaveLength(due);
  });
});
