import { boardWanted, formatInstant, parseInstant, SLOT_SECONDS } from '@lobbystats/contracts';
import { createMetrics } from '@lobbystats/service-kit';
import type { Collector } from '../src/service.ts';
import { turnIn, turnOf } from '../src/domain/board-schedule.ts';
import { setStage, SLOT, type SaidBoard, type Stage } from './running-collector.ts';
import { writesCounted } from './writes-counted.ts';

const HOUR = Math.ceil(SLOT / 3600) * 3600;

let stage: Stage;
beforeEach(async () => {
  stage = await setStage({ titles: 4, openMatches: 2, boards: 12, boardChanges: 0.3 });
});
afterEach(() => stage.close());

/** Goes through slots, each with all that is read in it. */
async function through(from: number, to: number, ...collectors: Collector[]): Promise<void> {
  for (let slot = from; slot < to; slot += SLOT_SECONDS) {
    stage.clock.nowMs = (slot + 1) * 1000;
    for (const collector of collectors) await collector.tick();
    await stage.pagesRead();
    await stage.until(() => stage.slots.some(({ data }) => parseInstant(data.slot) === slot));
    await stage.pagesRead();
  }
}

const keyOf = ({ titleId, leaderboardId }: Pick<SaidBoard, 'titleId' | 'leaderboardId'>) =>
  `${titleId} ${leaderboardId}`;
const saidIn = (pass: number) => stage.boards.filter(({ data }) => data.pass === formatInstant(pass));
const keysOf = (messages: Stage['boards']) => messages.map(({ data }) => keyOf(data)).sort();
const boardsAt = (slot: number) =>
  stage.world
    .boardKeysAt(slot)
    .map(({ titleId, id }) => `${titleId} ${id}`)
    .sort();

const boardPaths = (slot: number) =>
  stage.world.boardKeysAt(slot).map(({ titleId, id }) => `/games/${titleId}/leaderboards/${id}`);

/** What a board must say, by the simulated world. */
function truthOf({ titleId, leaderboardId, pass }: SaidBoard): unknown {
  const board = stage.world.board(parseInstant(pass), titleId, leaderboardId);
  if (board === undefined) return { name: '', board: null };
  const oneLine = (text: string) => text.replace(/\s+/g, ' ').trim();
  const entries = board.entries.map((entry) => ({ ...entry, name: oneLine(entry.name) }));
  return { name: oneLine(board.name), board: { isTime: board.isTime, entries } };
}

describe('leaderboards', () => {
  it('are each read once in an hour, in their turn, and said as the network has them', async () => {
    const collector = await stage.collector();
    await through(SLOT, HOUR + 3600, collector);
    await stage.until(() => new Set(keysOf(stage.boards)).size >= boardsAt(HOUR).length);
    expect(keysOf(saidIn(HOUR - 3600)).length + keysOf(saidIn(HOUR)).length).toBe(stage.boards.length);
    for (const { id, data, past, occurredAt } of stage.boards) {
      expect({ id, past, occurredAt }).toEqual({
        id: `board.observed:simulated:${data.titleId}:${data.leaderboardId}:${data.pass}`,
        past: false,
        occurredAt: data.seenAt,
      });
      expect(turnIn(Math.floor(parseInstant(data.seenAt) / 300) * 300)).toBe(turnOf(data));
      expect(data).toMatchObject(truthOf(data) as object);
    }
  });

  it('that are unchanged are confirmed without a write, and of the others only changes are said', async () => {
    const { store, writes } = writesCounted(stage.store);
    const collector = await stage.collector({ store });
    await through(SLOT, HOUR + 3600, collector);
    const before = { ...writes };
    const asked = await stage.boardRequests();
    const next = HOUR + 3600;
    await through(next, next + 3600, collector);
    const changed = stage.world.boardChanges(next).map(({ titleId, id }) => `${titleId} ${id}`);
    expect(changed.length).toBeGreaterThan(0);
    expect(changed.length).toBeLessThan(boardsAt(next).length);
    await stage.until(() => saidIn(next).length >= changed.length);
    expect(keysOf(saidIn(next))).toEqual(changed.sort());
    for (const { data } of saidIn(next)) expect(data).toMatchObject(truthOf(data) as object);
    expect(writes['boards.said'] ?? 0).toBe((before['boards.said'] ?? 0) + changed.length);
    expect(writes['boards.claim'] ?? 0).toBe((before['boards.claim'] ?? 0) + changed.length);
    expect(writes['boards.confirmed'] ?? 0).toBe(before['boards.confirmed'] ?? 0);
    const unchanged = boardsAt(next).filter((key) => !changed.includes(key));
    const confirmedIn = () => stage.confirmed.filter(({ data }) => parseInstant(data.seenAt) >= next);
    await stage.until(() => confirmedIn().length >= unchanged.length);
    expect(
      confirmedIn()
        .map(({ data }) => keyOf(data))
        .sort(),
    ).toEqual(unchanged);
    for (const { id, data, past } of confirmedIn()) {
      const said = stage.boards.findLast(({ data: board }) => keyOf(board) === keyOf(data));
      expect({ id, past, pass: data.pass }).toEqual({
        id: `board.confirmed:simulated:${data.titleId}:${data.leaderboardId}:${data.seenAt}`,
        past: false,
        pass: said?.data.pass,
      });
    }
    // All of them were asked for.
    const since = Object.entries(await stage.boardRequests()).filter(([path, count]) => count > (asked[path] ?? 0));
    expect(since).toHaveLength(boardsAt(next).length);
  });

  it('are shared by replicas: each is read by one of them', async () => {
    const collectors = await Promise.all([stage.collector(), stage.collector(), stage.collector()]);
    await through(SLOT, HOUR + 3600, ...collectors);
    await stage.until(() => new Set(keysOf(stage.boards)).size >= boardsAt(HOUR).length);
    for (const pass of [HOUR - 3600, HOUR]) expect(new Set(keysOf(saidIn(pass))).size).toBe(saidIn(pass).length);
    for (const { data } of stage.boards) expect(data).toMatchObject(truthOf(data) as object);
  });

  it('that could not be had are counted, and read again in the next slot', async () => {
    const metrics = createMetrics('collector');
    const collector = await stage.collector({ metrics });
    await through(SLOT, HOUR + 3600, collector);
    const next = HOUR + 3600;
    await stage.faults(...boardPaths(next).map((path) => ({ path, kind: 'status', status: 500 })));
    await through(next, next + 1, collector);
    const first = boardsAt(next).filter((key) => {
      const [titleId = '', id] = key.split(' ');
      return turnOf({ titleId, leaderboardId: Number(id) }) === 0;
    });
    expect(first.length).toBeGreaterThan(0);
    expect(await stage.store.boards.owed(next)).toHaveLength(first.length);
    expect(await metrics.registry.metrics()).toMatch(
      new RegExp(`^lobbystats_boards_total\\{outcome="failed",.*\\} ${first.length}$`, 'm'),
    );
    expect(saidIn(next)).toEqual([]);
    await stage.faults();
    await through(next + SLOT_SECONDS, next + SLOT_SECONDS + 1, collector);
    expect(await stage.store.boards.owed(next)).toEqual([]);
    const changed = new Set(stage.world.boardChanges(next).map(({ titleId, id }) => `${titleId} ${id}`));
    const expected = first.filter((key) => changed.has(key));
    await stage.until(() => saidIn(next).length >= expected.length);
    expect(keysOf(saidIn(next))).toEqual(expect.arrayContaining(expected));
  });

  it.each([
    ['an hour ago', -3_600_000],
    ['an hour ahead', 3_600_000],
  ])('of pages that are dated %s are not believed, and read again in the next slot', async (_, ms) => {
    const metrics = createMetrics('collector');
    const collector = await stage.collector({ metrics });
    await through(SLOT, HOUR + 3600, collector);
    const next = HOUR + 3600;
    await stage.faults(...boardPaths(next).map((path) => ({ path, kind: 'clock-skew', ms })));
    await through(next, next + 1, collector);
    const owed = await stage.store.boards.owed(next);
    expect(owed.length).toBeGreaterThan(0);
    expect(saidIn(next)).toEqual([]);
    expect(await metrics.registry.metrics()).toMatch(
      /^lobbystats_pages_total\{page="board",outcome="misdated",.*\} [1-9]/m,
    );
    await stage.faults();
    await through(next + SLOT_SECONDS, next + SLOT_SECONDS + 1, collector);
    expect(await stage.store.boards.owed(next)).toEqual([]);
  });

  it('that the network no longer has are said to be gone, once', async () => {
    const collector = await stage.collector();
    await through(SLOT, HOUR + 3600, collector);
    const [{ titleId, id } = { titleId: '', id: 0 }] = stage.world.boardKeysAt(HOUR + 3600);
    await stage.faults({ path: `/games/${titleId}/leaderboards/${id}`, kind: 'status', status: 404 });
    const turn = turnOf({ titleId, leaderboardId: id });
    const itsTurnIn = async (pass: number) => {
      const slot = pass + turn * SLOT_SECONDS;
      await through(slot, slot + 1, collector);
    };
    const gone = () => stage.boards.filter(({ data }) => data.board === null && keyOf(data) === `${titleId} ${id}`);
    await itsTurnIn(HOUR + 3600);
    await itsTurnIn(HOUR + 2 * 3600);
    await stage.until(() => gone().length > 0);
    expect(gone()).toMatchObject([{ data: { name: '', pass: formatInstant(HOUR + 3600) } }]);
    await stage.faults();
    // Its title's page lists it: the next quarter of an hour finds that out.
    await through(HOUR + 3 * 3600, HOUR + 3 * 3600 + 1, collector);
    await itsTurnIn(HOUR + 4 * 3600);
    await stage.until(() => saidIn(HOUR + 4 * 3600).some(({ data }) => keyOf(data) === `${titleId} ${id}`));
    expect(gone()).toHaveLength(1);
  });

  it('hold up no slot, however many there are and however slow they are', async () => {
    const collector = await stage.collector({ env: { COLLECTOR_MAX_RPS: '50' } });
    await through(SLOT, HOUR, collector);
    await stage.faults(...boardPaths(HOUR).map((path) => ({ path, kind: 'latency', ms: 300 })));
    // Many more jobs than there are hands.
    for (let copy = 0; copy < 20; copy += 1) {
      for (const { titleId, id } of stage.world.boardKeysAt(HOUR)) {
        await stage.bus.publish(
          boardWanted,
          { pass: formatInstant(HOUR), titleId, leaderboardId: id, name: '' },
          { expiresAtMs: (HOUR + 3600) * 1000 },
        );
      }
    }
    stage.clock.nowMs = (HOUR + 1) * 1000;
    const beganMs = performance.now();
    await collector.tick();
    await stage.until(() => stage.slots.some(({ data }) => parseInstant(data.slot) === HOUR));
    expect(performance.now() - beganMs).toBeLessThan(8000);
    expect(collector.status.lastSlot).toMatchObject({ slot: formatInstant(HOUR), missing: 0 });
  });
});
