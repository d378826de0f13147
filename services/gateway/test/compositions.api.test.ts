import { operations } from '@lobbystats/contracts';
import { route } from '@lobbystats/service-kit';
import { network, type Network } from './network.ts';
import { FOX } from './user-responses.ts';
import { UNREACHABLE_URL, runGateway, startRawUpstream, startStubUpstream } from './running-gateway.ts';

const { getProfile, getGamesPlayed, getLeaderboardScores } = operations;
const pathOf = ({ path }: { path: string }) => path.replace(':username', FOX);
const SCORES = pathOf(getLeaderboardScores);
const GAMES = pathOf(getGamesPlayed);
const COMPOSED = [pathOf(getProfile), GAMES, SCORES];

describe('composed response', () => {
  it.each(COMPOSED)('is 404 for an unknown user and 400 for an invalid username: %s', async (path) => {
    const gateway = await runGateway();
    gateway.catalog.requests.length = 0;
    const unknown = await gateway.request(path.replace(FOX, 'nobody'));
    expect([unknown.status, unknown.body]).toEqual([404, { error: 'Unknown username' }]);
    expect(gateway.users.requests).toHaveLength(1);
    for (const name of ['%24gt', 'x'.repeat(33), '%00', '..%2f..', '%D0%95mberFox']) {
      const { status, body } = await gateway.request(path.replace(FOX, name));
      expect([status, body]).toEqual([400, { error: 'username must be 1 to 32 letters, digits, spaces or . _ -' }]);
    }
    expect(gateway.users.requests).toHaveLength(1);
    expect(gateway.catalog.requests).toEqual([]);
  });

  it.each(COMPOSED)('is 503 when one of its two upstreams is down: %s', async (path) => {
    const known = network();
    for (const env of [{ USER_API_URL: UNREACHABLE_URL }, { CATALOG_API_URL: await catalogWithoutPlayers(known) }]) {
      const { status, headers, body } = await (await runGateway({ network: known, env })).request(path);
      expect([status, headers['retry-after'], headers.etag]).toEqual([503, '5', undefined]);
      expect(Object.keys(body as object)).toEqual(['error']);
    }
  });

  it.each(COMPOSED)('is 503 before the titles are loaded: %s', async (path) => {
    const gateway = await runGateway({ env: { CATALOG_API_URL: UNREACHABLE_URL } });
    expect((await gateway.request(path)).status).toBe(503);
  });

  it.each(['{}', '[]', '{"leaderboardPlayerName":5}', '{"playerName":null}', '{"leaderboardPlayerName":"x"}', 'null'])(
    'is 503 when user-api answers %s',
    async (nonsense) => {
      const USER_API_URL = await startRawUpstream((_req, res) => {
        res.writeHead(200, { 'Content-Type': 'application/json' }).end(nonsense);
      });
      const gateway = await runGateway({ env: { USER_API_URL } });
      for (const path of COMPOSED) expect((await gateway.request(path)).status).toBe(503);
    },
  );

  it('shares one upstream timeout among all of its requests', async () => {
    const timeoutMs = 600;
    const answering = { username: FOX, leaderboardPlayerName: FOX, playerName: FOX, explicitConsoleLiveGamertag: null };
    const USER_API_URL = await startRawUpstream((_req, res) => {
      setTimeout(() => {
        const body = JSON.stringify(answering);
        res.writeHead(200, { 'Content-Type': 'application/json', 'Content-Length': body.length }).end(body);
      }, timeoutMs / 2);
    });
    const asked = Promise.withResolvers<undefined>();
    const known = network();
    const CATALOG_API_URL = await catalogWithoutPlayers(known, async () => {
      asked.resolve(undefined);
      await new Promise(() => undefined);
    });
    const gateway = await runGateway({
      network: known,
      env: { USER_API_URL, CATALOG_API_URL },
      upstreamTimeoutMs: timeoutMs,
    });
    const settled: string[] = [];
    const request = async (path: string) => {
      expect((await gateway.request(path)).status).toBe(503);
      settled.push(path);
    };
    const composed = request(SCORES);
    await asked.promise;
    await Promise.all([composed, request(GAMES)]);
    expect(settled).toEqual([SCORES, GAMES]);
  });
});

/** A catalog-api that has the titles, and fails at players. */
async function catalogWithoutPlayers(
  known: Network,
  fail: () => Promise<unknown> = () => Promise.reject(new Error('no players')),
): Promise<string> {
  const failing = async (): Promise<never> => {
    await fail();
    throw new Error('no players');
  };
  const { url } = await startStubUpstream([
    route(operations.listTitles, async () => ({ body: { revision: known.revision, titles: known.titles } })),
    route(operations.getPlayerStanding, failing),
    route(operations.listPlayerScores, failing),
  ]);
  return url;
}
