import { boardRequested, formatInstant, parseInstant, SLOT_SECONDS } from '@lobbystats/contracts';
import { createMetrics } from '@lobbystats/service-kit';
import type { Collector } from '../src/service.ts';
import { groupDueIn, groupOf } from '../src/boards/board-schedule.ts';
import { setStage, SLOT, type BoardObservedData, type Stage } from './running-collector.ts';
import { countWrites } from './count-writes.ts';
import { runSlots as runCollectors } from './run-slots.ts';

const HOUR = Math.ceil(SLOT / 3600) * 3600;

let stage: Stage;
beforeEach(async () => {
  stage = await setStage({ titles: 4, openMatches: 2, boards: 12, boardChanges: 0.3 });
});
afterEach(() => stage.close());

const runSlots = (from: number, to: number, ...collectors: Collector[]) =>
  runCollectors(stage, { from, to }, ...collectors);

/** Finds the leaderboards in a first slot, then reads all in the next pass. */
const readAllOnce = async (collector: Collector) => {
  await runSlots(SLOT, SLOT + 1, collector);
  await runSlots(HOUR, HOUR + 3600, collector);
};

const keyOf = ({ titleId, leaderboardId }: Pick<BoardObservedData, 'titleId' | 'leaderboardId'>) =>
  `${titleId} ${leaderboardId}`;
const publishedIn = (pass: number) => stage.boards.filter(({ data }) => data.pass === formatInstant(pass));
const keysOf = (messages: Stage['boards']) => messages.map(({ data }) => keyOf(data)).sort();
const boardsAt = (slot: number) =>
  stage.world
    .boardKeysAt(slot)
    .map(({ titleId, id }) => `${titleId} ${id}`)
    .sort();

const boardPaths = (slot: number) =>
  stage.world.boardKeysAt(slot).map(({ titleId, id }) => `/games/${titleId}/leaderboards/${id}`);

/** The expected board, from the simulated world. */
function expectedBoard({ titleId, leaderboardId, pass }: BoardObservedData): unknown {
  const board = stage.world.board(parseInstant(pass), titleId, leaderboardId);
  if (board === undefined) return { name: '', board: null };
  const oneLine = (text: string) => text.replace(/\s+/g, ' ').trim();
  const entries = board.entries.map((entry) => ({ ...entry, name: oneLine(entry.name) }));
  return { name: oneLine(board.name), board: { isTime: board.isTime, entries } };
}

describe('reading leaderboards', () => {
  it('reads and publishes each leaderboard once an hour, in its own slot', async () => {
    const collector = await stage.collector();
    await runSlots(SLOT, HOUR + 3600, collector);
    await stage.until(() => new Set(keysOf(stage.boards)).size >= boardsAt(HOUR).length);
    expect(keysOf(publishedIn(HOUR - 3600)).length + keysOf(publishedIn(HOUR)).length).toBe(stage.boards.length);
    for (const { id, data, past, occurredAt } of stage.boards) {
      expect({ id, past, occurredAt }).toEqual({
        id: `board.observed:simulated:${data.titleId}:${data.leaderboardId}:${data.pass}`,
        past: false,
        occurredAt: data.seenAt,
      });
      expect(groupDueIn(Math.floor(parseInstant(data.seenAt) / 300) * 300)).toBe(groupOf(data));
      expect(data).toMatchObject(expectedBoard(data) as object);
    }
  });

  it('confirms unchanged leaderboards without a write and publishes only changed ones', async () => {
    const { store, writes } = countWrites(stage.store);
    const collector = await stage.collector({ store });
    await readAllOnce(collector);
    const before = { ...writes };
    const asked = await stage.boardRequests();
    const next = HOUR + 3600;
    await runSlots(next, next + 3600, collector);
    const changed = stage.world.boardChanges(next).map(({ titleId, id }) => `${titleId} ${id}`);
    expect(changed.length).toBeGreaterThan(0);
    expect(changed.length).toBeLessThan(boardsAt(next).length);
    await stage.until(() => publishedIn(next).length >= changed.length);
    expect(keysOf(publishedIn(next))).toEqual(changed.sort());
    for (const { data } of publishedIn(next)) expect(data).toMatchObject(expectedBoard(data) as object);
    expect(writes['boards.markPublished'] ?? 0).toBe((before['boards.markPublished'] ?? 0) + changed.length);
    expect(writes['boards.beginPublishing'] ?? 0).toBe((before['boards.beginPublishing'] ?? 0) + changed.length);
    expect(writes['boards.markConfirmed'] ?? 0).toBe(before['boards.markConfirmed'] ?? 0);
    const unchanged = boardsAt(next).filter((key) => !changed.includes(key));
    const confirmedIn = () => stage.confirmed.filter(({ data }) => parseInstant(data.seenAt) >= next);
    await stage.until(() => confirmedIn().length >= unchanged.length);
    expect(
      confirmedIn()
        .map(({ data }) => keyOf(data))
        .sort(),
    ).toEqual(unchanged);
    for (const { id, data, past } of confirmedIn()) {
      const observation = stage.boards.findLast(({ data: board }) => keyOf(board) === keyOf(data));
      expect({ id, past, pass: data.pass }).toEqual({
        id: `board.confirmed:simulated:${data.titleId}:${data.leaderboardId}:${data.seenAt}`,
        past: false,
        pass: observation?.data.pass,
      });
    }
    // Every board was requested.
    const since = Object.entries(await stage.boardRequests()).filter(([path, count]) => count > (asked[path] ?? 0));
    expect(since).toHaveLength(boardsAt(next).length);
  });

  it('reads each leaderboard once with several replicas, of which one leads', async () => {
    const [leader] = await Promise.all([stage.collector(), stage.collector(), stage.collector()]);
    await runSlots(SLOT, HOUR + 3600, leader);
    await stage.until(() => new Set(keysOf(stage.boards)).size >= boardsAt(HOUR).length);
    for (const pass of [HOUR - 3600, HOUR])
      expect(new Set(keysOf(publishedIn(pass))).size).toBe(publishedIn(pass).length);
    for (const { data } of stage.boards) expect(data).toMatchObject(expectedBoard(data) as object);
  });

  it('counts unavailable leaderboards and reads them again in the next slot', async () => {
    const metrics = createMetrics('collector');
    const collector = await stage.collector({ metrics });
    await readAllOnce(collector);
    const next = HOUR + 3600;
    await stage.faults(...boardPaths(next).map((path) => ({ path, kind: 'status', status: 500 })));
    await runSlots(next, next + 1, collector);
    const first = boardsAt(next).filter((key) => {
      const [titleId = '', id] = key.split(' ');
      return groupOf({ titleId, leaderboardId: Number(id) }) === groupDueIn(next);
    });
    expect(first.length).toBeGreaterThan(0);
    expect(await stage.store.boards.pendingRetries(next)).toHaveLength(first.length);
    expect(await metrics.registry.metrics()).toMatch(
      new RegExp(`^lobbystats_boards_total\\{outcome="failed",.*\\} ${first.length}$`, 'm'),
    );
    expect(publishedIn(next)).toEqual([]);
    await stage.faults();
    await runSlots(next + SLOT_SECONDS, next + SLOT_SECONDS + 1, collector);
    expect(await stage.store.boards.pendingRetries(next)).toEqual([]);
    const changed = new Set(stage.world.boardChanges(next).map(({ titleId, id }) => `${titleId} ${id}`));
    const expected = first.filter((key) => changed.has(key));
    await stage.until(() => publishedIn(next).length >= expected.length);
    expect(keysOf(publishedIn(next))).toEqual(expect.arrayContaining(expected));
  });

  it.each([
    ['an hour ago', -3_600_000],
    ['an hour ahead', 3_600_000],
  ])('rejects leaderboard pages dated %s and reads them again in the next slot', async (_, ms) => {
    const metrics = createMetrics('collector');
    const collector = await stage.collector({ metrics });
    await readAllOnce(collector);
    const next = HOUR + 3600;
    await stage.faults(...boardPaths(next).map((path) => ({ path, kind: 'clock-skew', ms })));
    await runSlots(next, next + 1, collector);
    const retries = await stage.store.boards.pendingRetries(next);
    expect(retries.length).toBeGreaterThan(0);
    expect(publishedIn(next)).toEqual([]);
    expect(await metrics.registry.metrics()).toMatch(
      /^lobbystats_pages_total\{page="board",outcome="wrong-date",.*\} [1-9]/m,
    );
    await stage.faults();
    await runSlots(next + SLOT_SECONDS, next + SLOT_SECONDS + 1, collector);
    expect(await stage.store.boards.pendingRetries(next)).toEqual([]);
  });

  it('publishes a leaderboard that returns 404 as gone, once', async () => {
    const collector = await stage.collector();
    await readAllOnce(collector);
    const [{ titleId, id } = { titleId: '', id: 0 }] = stage.world.boardKeysAt(HOUR + 3600);
    await stage.faults({ path: `/games/${titleId}/leaderboards/${id}`, kind: 'status', status: 404 });
    const group = groupOf({ titleId, leaderboardId: id });
    const runBoardSlot = async (pass: number) => {
      let slot = pass;
      while (groupDueIn(slot) !== group) slot += SLOT_SECONDS;
      await runSlots(slot, slot + 1, collector);
    };
    const findRemovals = () =>
      stage.boards.filter(({ data }) => data.board === null && keyOf(data) === `${titleId} ${id}`);
    await runBoardSlot(HOUR + 3600);
    await runBoardSlot(HOUR + 2 * 3600);
    await stage.until(() => findRemovals().length > 0);
    expect(findRemovals()).toMatchObject([{ data: { name: '', pass: formatInstant(HOUR + 3600) } }]);
    await stage.faults();
    // Its title page lists it again, which is read within 15 minutes.
    await runSlots(HOUR + 3 * 3600, HOUR + 3 * 3600 + 1, collector);
    await runBoardSlot(HOUR + 4 * 3600);
    await stage.until(() => publishedIn(HOUR + 4 * 3600).some(({ data }) => keyOf(data) === `${titleId} ${id}`));
    expect(findRemovals()).toHaveLength(1);
  });

  it('publishes slots on time while many slow leaderboards are read', async () => {
    const collector = await stage.collector({ env: { COLLECTOR_MAX_RPS: '50' } });
    await runSlots(SLOT, SLOT + 1, collector);
    await stage.faults(...boardPaths(HOUR).map((path) => ({ path, kind: 'latency', ms: 300 })));
    // Many more jobs than concurrent boards.
    for (let copy = 0; copy < 20; copy += 1) {
      for (const { titleId, id } of stage.world.boardKeysAt(HOUR)) {
        await stage.bus.publish(
          boardRequested,
          { pass: formatInstant(HOUR), titleId, leaderboardId: id, name: '' },
          { expiresAtMs: (HOUR + 3600) * 1000 },
        );
      }
    }
    stage.clock.nowMs = (HOUR + 1) * 1000;
    await collector.tick();
    await stage.until(() => stage.slots.some(({ data }) => parseInstant(data.slot) === HOUR));
    expect(collector.status.lastSlot).toMatchObject({ slot: formatInstant(HOUR), missing: 0 });
  });
});
