import { DAY_SECONDS, formatInstant, parseInstant, SLOT_SECONDS } from '@lobbystats/contracts';
import { createMetrics } from '@lobbystats/service-kit';
import { nock, requestsTo, type MockedRequest } from '@lobbystats/test-kit/nock';
import { killAfter } from './kill-after.ts';
import { setStage, SLOT, type BoardObservedData, type Stage } from './running-collector.ts';
import { mockNetwork, NETWORK } from './mock-network.ts';

const backfillDays = { leaderboards: 2 };
/** The current pass, which is read live. */
const TO = Math.floor(SLOT / 3600) * 3600;
const FROM = TO - 2 * DAY_SECONDS;

let stage: Stage;
beforeEach(async () => {
  stage = await setStage({ titles: 3, openMatches: 1, boards: 10, boardChanges: 0.1 });
});
afterEach(() => stage.close());

const past = () => stage.boards.filter((message) => message.past);
const nameOf = (pass: number, titleId: string, id: number) => `${formatInstant(pass)} ${titleId} ${id}`;
const nameOfMessage = ({ pass, titleId, leaderboardId }: BoardObservedData) => `${pass} ${titleId} ${leaderboardId}`;

/** Names of all past messages: each board once, then the changed boards of each pass. */
function expectedNames(): string[] {
  const names = stage.world.boardKeysAt(FROM).map(({ titleId, id }) => nameOf(FROM, titleId, id));
  for (let pass = FROM + 3600; pass < TO; pass += 3600) {
    names.push(...stage.world.boardChanges(pass).map(({ titleId, id }) => nameOf(pass, titleId, id)));
  }
  return names;
}

/** The messages of each board that a consumer accepts, which ignores messages of earlier or equal passes. */
function newestByBoard(messages: Stage['boards']): Map<string, BoardObservedData[]> {
  const boards = new Map<string, BoardObservedData[]>();
  for (const { data } of messages) {
    const key = `${data.titleId} ${data.leaderboardId}`;
    const before = boards.get(key) ?? [];
    if ((before.at(-1)?.pass ?? '') < data.pass) boards.set(key, [...before, data]);
  }
  return boards;
}

describe('leaderboard backfill', () => {
  it('publishes each board once and then its changes in order, and live passes continue from there', async () => {
    const collector = await stage.collector({ backfillDays });
    await collector.backfillDone();
    await stage.until(() => past().length === expectedNames().length);
    expect(
      past()
        .map(({ data }) => nameOfMessage(data))
        .sort(),
    ).toEqual(expectedNames().sort());
    const passes = past().map(({ data }) => data.pass);
    expect(passes).toEqual([...passes].sort());
    for (const { data, occurredAt, id } of past()) {
      expect([id, occurredAt, data.seenAt]).toEqual([
        `board.observed:simulated:${data.titleId}:${data.leaderboardId}:${data.pass}`,
        data.pass,
        data.pass,
      ]);
      const board = stage.world.board(parseInstant(data.pass), data.titleId, data.leaderboardId);
      expect(data.board?.entries).toEqual(board?.entries);
    }
    expect(collector.status.boardFill).toEqual({ donePasses: 48, totalPasses: 48, done: true });

    // The history has changed boards only: the others are confirmed as of its last pass.
    const last = formatInstant(TO - 3600);
    const boards = new Map(past().map(({ data }) => [`${data.titleId} ${data.leaderboardId}`, data]));
    const unchanged = [...boards.values()].filter(({ board, pass }) => board !== null && pass < last);
    expect(unchanged.length).toBeGreaterThan(0);
    const nameOfConfirmed = (data: { titleId: string; leaderboardId: number; pass: string }) =>
      `${data.pass} ${data.titleId} ${data.leaderboardId}`;
    await stage.until(() => stage.confirmed.filter((message) => message.past).length === unchanged.length);
    const confirmed = stage.confirmed.filter((message) => message.past).map(({ data }) => data);
    expect(confirmed.map(nameOfConfirmed).sort()).toEqual(unchanged.map(nameOfConfirmed).sort());
    expect(new Set(confirmed.map(({ seenAt }) => seenAt))).toEqual(new Set([last]));

    // The rest of the current hour and the next one: live messages contain only new or changed boards.
    for (let slot = SLOT; slot < TO + 2 * 3600; slot += SLOT_SECONDS) {
      stage.clock.nowMs = (slot + 1) * 1000;
      await collector.tick();
      await stage.until(() => stage.slots.some(({ data }) => parseInstant(data.slot) === slot));
      await stage.pagesRead();
    }
    const live = stage.boards.filter((message) => !message.past);
    expect(live.length).toBeGreaterThan(0);
    for (const messages of newestByBoard(stage.boards).values()) {
      for (const [index, { board }] of messages.slice(1).entries()) expect(board).not.toEqual(messages[index]?.board);
    }
    const now = stage.world.boardKeysAt(TO + 3600).map(({ titleId, id }) => [titleId, id] as const);
    for (const [titleId, id] of now) {
      const latest = newestByBoard(stage.boards).get(`${titleId} ${id}`)?.at(-1);
      expect(latest?.board?.entries).toEqual(stage.world.board(TO + 3600, titleId, id)?.entries);
    }
  });

  it('publishes the same history when killed between any two steps, and never starts again', async () => {
    const whole = await stage.collector({ backfillDays });
    await whole.backfillDone();
    await stage.until(() => past().length === expectedNames().length);
    const truth = [...newestByBoard(past())].sort();
    const confirmed = new Set(stage.confirmed.filter((message) => message.past).map(({ id }) => id));
    await stage.close();

    stage = await setStage({ titles: 3, openMatches: 1, boards: 10, boardChanges: 0.1 });
    const requests = mockParts(stage.url);
    const parts = { backfillDays, env: { HISTORY_URL: NETWORK } };
    for (let steps = 3; ; steps += 3) {
      const life = killAfter(stage.store, stage.bus, steps);
      const killed = await stage.collector({ store: life.store, bus: life.bus, ...parts });
      await stage.poll(() => Promise.resolve(life.isKilled() || killed.status.boardFill?.done === true));
      await killed.stop();
      if (killed.status.boardFill?.done === true) break;
      stage.clock.nowMs += 15_000;
    }
    await stage.until(() => new Set(past().map(({ data }) => nameOfMessage(data))).size === expectedNames().length);
    // Messages that a killed process published but did not record are published again.
    const published = [...past(), ...stage.confirmed].map(({ id }) => id);
    expect(published.length).toBeGreaterThan(new Set(published).size);
    expect([...newestByBoard(past())].sort()).toEqual(truth);
    const confirmedIds = () => new Set(stage.confirmed.filter((message) => message.past).map(({ id }) => id));
    await stage.until(() => confirmedIds().size === confirmed.size);
    expect(confirmedIds()).toEqual(confirmed);
    expect(requests.length).toBeGreaterThan(5);
    const { length } = requests;
    await (await stage.collector(parts)).backfillDone();
    expect(requests).toHaveLength(length);
  });

  it('ends at once when the network has no leaderboard history', async () => {
    const requests = mockNetwork();
    const collector = await stage.collector({ backfillDays, env: { HISTORY_URL: NETWORK } });
    await collector.backfillDone();
    expect(await stage.store.boardBackfill.state()).toMatchObject({ isDone: true });
    expect(requests.map(({ url }) => url.split('?')[0])).toContain('/boards');
  });

  it('skips and counts a board that is invalid for a message', async () => {
    const entry = (name: string) => ({ rank: 1, name, rating: '00:49.300', timeMs: 49_300 });
    const boardAt = (hour: number, leaderboardId: number, name: string) => ({
      pass: formatInstant(FROM + hour * 3600),
      titleId: '4d530064',
      leaderboardId,
      name: 'Old Pier',
      board: { isTime: true, entries: [entry(name)] },
    });
    const boards = [boardAt(0, 1, 'Ada'), boardAt(0, 2, ' '), boardAt(1, 1, '\u3000'), boardAt(2, 3, 'Bob')];
    mockNetwork([200, { boards, next: null, slots: [] }]);
    const metrics = createMetrics('collector');
    const collector = await stage.collector({ metrics, backfillDays, env: { HISTORY_URL: NETWORK } });
    await collector.backfillDone();
    await stage.until(() => past().length === 2);
    expect(past().map(({ data }) => data.leaderboardId)).toEqual([1, 3]);
    const known = [1, 2, 3].map((leaderboardId) => stage.store.boards.get({ titleId: '4d530064', leaderboardId }));
    const passes = (await Promise.all(known)).map((memo) => memo?.published?.pass);
    expect(passes).toEqual([FROM, undefined, FROM + 7200]);
    expect(await metrics.registry.metrics()).toMatch(/^lobbystats_boards_total\{outcome="failed",.*\} 2$/m);
  });

  it('retries an unreadable history response, which delays leaderboards but no slots', async () => {
    const nameless = { pass: formatInstant(TO), titleId: '4d530064', leaderboardId: 1, name: '', board: null };
    const json = { 'Content-Type': 'application/json' };
    nock(NETWORK).get(/^/).reply(200, '{', json).get(/^/).reply(200, '{"boards":{},"next":null}', json);
    mockNetwork([200, { boards: [nameless], next: null }]);
    const collector = await stage.collector({ backfillDays, env: { HISTORY_URL: NETWORK } });
    await stage.until(() => stage.slots.length === 1);
    await stage.poll(() => Promise.resolve(collector.status.boardFill !== null));
    expect(collector.status.boardFill).toMatchObject({ donePasses: 0, done: false });
    stage.clock.nowMs = (SLOT + SLOT_SECONDS + 1) * 1000;
    await collector.tick();
    await stage.until(() => stage.slots.length === 2);
    await stage.poll(() => Promise.resolve(nock.isDone()));
    expect(Object.keys(await stage.boardRequests())).toEqual([]);
    await collector.stop();
  });
});

/** The leaderboard history of the network at `url`, five boards per part. */
function mockParts(url: string): MockedRequest[] {
  const network = nock(NETWORK).persist();
  network
    .get('/boards')
    .query(true)
    .reply(async (request: Request) => {
      const { searchParams } = new URL(request.url);
      const query = new URLSearchParams({ from: searchParams.get('from') ?? '', to: searchParams.get('to') ?? '' });
      const answer = await fetch(`${url}/simulator/history/boards?${query.toString()}`);
      const { boards } = (await answer.json()) as { boards: unknown[] };
      const at = Number(searchParams.get('cursor') ?? 0);
      return [200, { boards: boards.slice(at, at + 5), next: at + 5 < boards.length ? String(at + 5) : null }];
    });
  return requestsTo(network);
}
