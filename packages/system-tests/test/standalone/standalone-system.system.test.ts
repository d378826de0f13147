import {
  allOperations,
  BOARD_PASS_SECONDS,
  gamePathsOf,
  operations,
  sampleRequest,
  type Operation,
  type SampleValues,
} from '@lobbystats/contracts';
import { createSimulator, designOfSeed } from '@lobbystats/simulator';
import { eventually, fixedClock, getJson, seedOfRun, temporaryDirectory } from '@lobbystats/test-kit';
import { readStandaloneConfig } from '@lobbystats/standalone/config';
import { createSystem } from '@lobbystats/standalone/system';
import { expectBoards } from './expect-boards.ts';
import { systemEnv } from './run-system.ts';

const BACKFILL_DAYS = 1;
const clock = fixedClock('2026-01-31T12:00:05Z');
const simulator = createSimulator({
  ...{ clock, titles: 60, openMatches: 40, boards: 120, entries: 3000 },
  design: designOfSeed(seedOfRun()),
});
const username = simulator.accounts[0]?.username ?? '';
let url = '';
let stop: () => Promise<void> = () => Promise.resolve();

beforeAll(async () => {
  const network = await simulator.start();
  const env = systemEnv(temporaryDirectory('file'), network.url, {
    NETWORK_CLOCK_TOLERANCE_SECONDS: '2',
    BACKFILL_DAYS: String(BACKFILL_DAYS),
  });
  const system = createSystem(readStandaloneConfig(env), { clock, write: () => undefined });
  await system.start();
  stop = () => system.stop();
  url = system.url();
  await eventually(async () => {
    const { body } = await getJson(`${url}${operations.getOnlineSeries.path}?days=30`);
    if ((body as unknown[]).length !== BACKFILL_DAYS * 288 + 1) throw new Error('the past is not filled yet');
  });
  // The hour before the current one is the last backfilled pass.
  const pass = Math.floor(clock() / 1000) - BOARD_PASS_SECONDS;
  for (const { titleId } of simulator.world.titlesAt(pass)) {
    await eventually(() => expectBoards(url, simulator.world, { titleId, pass }));
  }
  await eventually(async () => {
    const paths = [operations.getProfile.path, operations.getReputation.path];
    const answers = await Promise.all(
      paths.map((path) => getJson(url + path.replace(':username', encodeURIComponent(username)))),
    );
    if (answers.some(({ status }) => status !== 200)) throw new Error('the players are not known yet');
  });
  await eventually(async () => {
    const { body } = await getJson<unknown[]>(url + operations.listEvents.path);
    if (body.length === 0) throw new Error('the events are not read yet');
  });
});

afterAll(async () => {
  await stop();
  await simulator.stop();
});

async function fetchOperation(operation: Operation, path: string, values: SampleValues): Promise<Response> {
  const { target, body } = sampleRequest({ ...operation, path }, values);
  const posted = { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) };
  return fetch(url + target, body === undefined ? {} : posted);
}

describe('standalone system', () => {
  it('answers every public operation by its schema, with the same bytes by title ID and by name', async () => {
    const { body: list } = await getJson(`${url}${operations.listGames.path}`);
    const { games } = operations.listGames.response.parse(list);
    const awkward = games.filter(({ name }) => !/^[\w ]+$/.test(name));
    expect(awkward.length).toBeGreaterThan(5);
    const namedLikeAnId = new Set(games.map(({ name }) => name).filter((name) => /^[0-9a-f]{8}$/.test(name)));
    expect(namedLikeAnId.size).toBe(1);
    awkward.push(...games.filter(({ name, titleId }) => namedLikeAnId.has(name) || namedLikeAnId.has(titleId)));
    const { body: events } = await getJson<{ id: number }[]>(url + operations.listEvents.path);
    const boardOf = (titleId: string) => simulator.world.boardsAt(clock() / 1000, titleId)[0]?.id;
    const withBoards = awkward.filter(({ titleId }) => boardOf(titleId) !== undefined);
    expect(withBoards.length).toBeGreaterThan(2);
    // What needs a session is asked with one elsewhere.
    const anybodys = allOperations.filter(({ audience, session }) => audience === 'public' && session !== 'required');
    for (const operation of anybodys) {
      const needed = operation.path + JSON.stringify(operation.sample ?? {});
      const asked = /:(leaderboardId|player)/.test(needed) ? withBoards : awkward;
      for (const { titleId, name } of operation.path.includes(':titleId') ? asked : asked.slice(0, 1)) {
        const leaderboardId = boardOf(titleId);
        const player = simulator.world.board(clock() / 1000 - BOARD_PASS_SECONDS, titleId, leaderboardId ?? 0)
          ?.entries[0]?.name;
        const isFreeText = operation.id === operations.searchOnePlayer.id;
        const pathParams = {
          ...{ titleId, otherTitleId: games[0]?.titleId ?? '', game: name, leaderboardId: String(leaderboardId) },
          ...{ eventId: String(events[0]?.id), username, player: isFreeText ? 'a/b\\c' : (player ?? '') },
          ...{ otherPlayer: '.*', time: '1:00', prefix: 'a' },
        };
        const byId = await fetchOperation(operation, operation.path, pathParams);
        const bytes = await byId.text();
        expect([operation.id, byId.status]).toEqual([operation.id, 200]);
        const isJson = operation.mediaType === undefined;
        if (isJson && operation !== (operations.getOnlineUsers as unknown as Operation))
          operation.response.parse(JSON.parse(bytes));
        // The name of this game is the title ID of another one, whose response this path has.
        const isOfAnother = operation.prefersTitleId === true && namedLikeAnId.has(name);
        for (const path of isOfAnother ? [] : gamePathsOf(operation)) {
          const byName = await fetchOperation(operation, path, pathParams);
          expect(await byName.text()).toBe(bytes);
          expect(byName.headers.get('etag')).toBe(byId.headers.get('etag'));
          // A title ID that is the name of another game resolves to that game.
          if (namedLikeAnId.has(titleId) && operation.prefersTitleId !== true) continue;
          const byIdAsGame = await fetchOperation(operation, path, { ...pathParams, game: titleId.toUpperCase() });
          expect(await byIdAsGame.text()).toBe(bytes);
        }
      }
    }
  });

  it('shows the current counts of the network pages', async () => {
    const { body } = await getJson(`${url}${operations.getOnlineUsers.path}`);
    const users = new Map(
      Object.entries(body as Record<string, { titleId: string }>).map(([, user]) => [user.titleId, user]),
    );
    const truth = simulator.world.observe(Math.floor(clock() / 300_000) * 300);
    expect(users.size).toBe(truth.titles.length);
    for (const title of truth.titles) {
      expect(users.get(title.titleId)).toMatchObject({
        online: title.online,
        sessionCount: title.sessions,
        activeLobbyPlayers: title.players,
        activeLobbies: title.matches.length,
        hasActiveSession: title.sessions > 0,
      });
    }
  });

  it('shows the counts of the network history for each past slot', async () => {
    const { body: series } = await getJson(`${url}${operations.getLobbySeries.path}?days=30`);
    const points = series as { recorded_at: string; lobby_count: number }[];
    const counts = points.map(({ recorded_at }) => {
      const slot = Date.parse(`${recorded_at.replace(' ', 'T')}Z`) / 1000;
      const { titles } = simulator.world.observe(slot);
      return titles.reduce((sum, { matches }) => sum + matches.length, 0);
    });
    expect(points.map(({ lobby_count }) => lobby_count)).toEqual(counts);
    expect(points).toHaveLength(BACKFILL_DAYS * 288 + 1);
  });

  it('keeps daily registered users longer than snapshots', async () => {
    const { body } = await getJson(`${url}${operations.getDailyRegistered.path}?days=365`);
    const days = body as { date: string; registered_count: number }[];
    expect(days).toHaveLength(365);
    expect(days.at(-1)?.date).toBe('2026-01-31');
    const slot = Math.floor(clock() / 300_000) * 300;
    expect(days.at(-1)?.registered_count).toBe(simulator.world.registeredAt(slot));
  });

  it('collects the next slot when it is due, and shows it', async () => {
    const before = await fetch(`${url}${operations.getOnlineUsers.path}`);
    clock.advance(300);
    await eventually(async () => {
      const after = await fetch(`${url}${operations.getOnlineUsers.path}`);
      expect(after.headers.get('last-modified')).toBe('Sat, 31 Jan 2026 12:05:00 GMT');
      expect(after.headers.get('etag')).not.toBe(before.headers.get('etag'));
    });
  });

  it.each([
    ['/api/nothing', 404],
    ['/internal/titles', 404],
    ['/api/title/zzz', 404],
    ['/api/title/00000000', 404],
    ['/api/game/no-such-game', 404],
    ['/api/game/%FF', 400],
    ['/api/game/%', 400],
    ['/api/game/..%2f..%2finternal%2ftitles', 404],
    ['/api/game/%00', 404],
    ['/api/service-stats/online-24h?days=0', 400],
    ['/api/service-stats/online-24h?days=31', 400],
    ['/api/service-stats/online-24h?days=1&days=2', 400],
    ['/api/service-stats/online-24h?days=1e1', 400],
    ['/api/service-stats/online-24h?resolution=5', 400],
    [`/api/service-stats/online-24h?days=${'9'.repeat(5000)}`, 400],
    ['/api/online-users/summary?period=week', 400],
  ])('answers %s with %i and an error body', async (path, status) => {
    const response = await fetch(url + path);
    expect(response.status).toBe(status);
    expect(Object.keys((await response.json()) as object)).toEqual(['error']);
    expect(response.headers.get('access-control-allow-origin')).toBe('*');
  });
});
