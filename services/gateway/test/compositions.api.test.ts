import { operations } from '@lobbystats/contracts';
import { route } from '@lobbystats/service-kit';
import { network, type Network } from './network.ts';
import { FOX } from './people-answers.ts';
import { NOWHERE, runGateway, startBadOwner, startOwner } from './running-gateway.ts';

const { getProfile, getGamesPlayed, getLeaderboardScores } = operations;
const pathOf = ({ path }: { path: string }) => path.replace(':username', FOX);
const SCORES = pathOf(getLeaderboardScores);
const COMPOSED = [pathOf(getProfile), pathOf(getGamesPlayed), SCORES];

describe('what is composed', () => {
  it.each(COMPOSED)('is 404 for an unknown person and 400 for what can be none: %s', async (path) => {
    const gateway = await runGateway();
    gateway.catalog.seen.length = 0;
    const unknown = await gateway.ask(path.replace(FOX, 'nobody'));
    expect([unknown.status, unknown.body]).toEqual([404, { error: 'Unknown username' }]);
    expect(gateway.users.seen).toHaveLength(1);
    for (const name of ['%24gt', 'x'.repeat(33), '%00', '..%2f..', '%D0%95mberFox']) {
      const { status, body } = await gateway.ask(path.replace(FOX, name));
      expect([status, body]).toEqual([400, { error: 'username must be 1 to 32 letters, digits, spaces or . _ -' }]);
    }
    expect(gateway.users.seen).toHaveLength(1);
    expect(gateway.catalog.seen).toEqual([]);
  });

  it.each(COMPOSED)('is unavailable where one of two services is: %s', async (path) => {
    const known = network();
    for (const env of [{ USER_API_URL: NOWHERE }, { CATALOG_API_URL: await catalogWithoutPlayers(known) }]) {
      const { status, headers, body } = await (await runGateway({ known, env })).ask(path);
      expect([status, headers['retry-after'], headers.etag]).toEqual([503, '5', undefined]);
      expect(Object.keys(body as object)).toEqual(['error']);
    }
  });

  it.each(COMPOSED)('is unavailable before the titles are known, or needs no names: %s', async (path) => {
    const gateway = await runGateway({ env: { CATALOG_API_URL: NOWHERE } });
    expect((await gateway.ask(path)).status).toBe(503);
  });

  it.each(['{}', '[]', '{"leaderboardPlayerName":5}', '{"playerName":null}', '{"leaderboardPlayerName":"x"}', 'null'])(
    'is unavailable where user-api says %s',
    async (nonsense) => {
      const USER_API_URL = await startBadOwner((_req, res) => {
        res.writeHead(200, { 'Content-Type': 'application/json' }).end(nonsense);
      });
      const gateway = await runGateway({ env: { USER_API_URL } });
      for (const path of COMPOSED) expect((await gateway.ask(path)).status).toBe(503);
    },
  );

  it('takes as long as one question may, however many it needs', async () => {
    const timeoutMs = 600;
    const answering = { username: FOX, leaderboardPlayerName: FOX, playerName: FOX, explicitConsoleLiveGamertag: null };
    const USER_API_URL = await startBadOwner((_req, res) => {
      setTimeout(() => {
        const body = JSON.stringify(answering);
        res.writeHead(200, { 'Content-Type': 'application/json', 'Content-Length': body.length }).end(body);
      }, timeoutMs / 2);
    });
    const asked = Promise.withResolvers<number>();
    const known = network();
    const CATALOG_API_URL = await catalogWithoutPlayers(known, async () => {
      asked.resolve(performance.now());
      await new Promise(() => undefined);
    });
    const gateway = await runGateway({
      known,
      env: { USER_API_URL, CATALOG_API_URL, OWNER_TIMEOUT_MS: String(timeoutMs) },
    });
    const answer = gateway.ask(SCORES);
    const began = await asked.promise;
    expect((await answer).status).toBe(503);
    expect(performance.now() - began).toBeLessThan(timeoutMs - 50);
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
  const { url } = await startOwner([
    route(operations.listTitles, async () => ({ body: { revision: known.revision, titles: known.titles } })),
    route(operations.getPlayerStanding, failing),
    route(operations.listPlayerScores, failing),
  ]);
  return url;
}
