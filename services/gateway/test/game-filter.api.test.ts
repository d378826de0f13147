import { allOperations, type Operation } from '@lobbystats/contracts';
import { HARBOR, network, RALLY, title } from './network.ts';
import { runGateway } from './running-gateway.ts';
import { sampleRequest } from './sample-request.ts';

const lists = allOperations.filter(({ audience, query }) => audience === 'public' && 'game' in query.shape);

/** A gateway, and what its upstreams are asked for a list. */
async function run(titles = [HARBOR, RALLY]) {
  const gateway = await runGateway({ network: network({ titles }) });
  const upstreams = [gateway.series, gateway.catalog, gateway.users];
  return async (operation: Operation, filter: Record<string, string>) => {
    const [target] = sampleRequest(operation);
    const url = new URL(target, 'http://gateway');
    url.searchParams.delete('titleId');
    for (const [name, value] of Object.entries(filter)) url.searchParams.set(name, value);
    const before = upstreams.map(({ requests }) => requests.length);
    const { status, body } = await gateway.request(url.pathname + url.search);
    const asked = upstreams.flatMap(({ requests }, index) => requests.slice(before[index]));
    const titleIds = asked.map((request) => new URL(request.url, 'http://upstream').searchParams.get('titleId'));
    return { status, body, titleIds: new Set(titleIds.filter((titleId) => titleId !== null)) };
  };
}

describe('filter by game', () => {
  it('is on each list that has one', () => {
    expect(lists.map(({ id }) => id).toSorted()).toEqual([
      ...['getChangesFeed', 'getEventsCalendar', 'listChanges', 'listEvents', 'listLobbies', 'listPaidEvents'],
      ...['listPlayerChanges', 'listUsersOnline', 'searchByPlayers', 'searchByTime'],
    ]);
  });

  it.each(lists.map((operation) => [operation.id, operation] as const))(
    'of %s takes a name or title ID by both parameters',
    async (_id, operation) => {
      const ask = await run();
      const byTitle = await ask(operation, { titleId: HARBOR.titleId });
      expect(byTitle).toMatchObject({ status: 200, titleIds: new Set([HARBOR.titleId]) });
      for (const filter of [
        { game: HARBOR.name.toUpperCase() },
        { game: HARBOR.titleId },
        { game: HARBOR.name, titleId: HARBOR.titleId },
      ]) {
        expect(await ask(operation, filter)).toEqual(byTitle);
      }
      expect(await ask(operation, { game: '' })).toMatchObject({ status: 200, titleIds: new Set() });
      expect(await ask(operation, { game: 'No such game' })).toMatchObject({
        ...{ status: 404, body: { error: 'Unknown game' }, titleIds: new Set() },
      });
      expect(await ask(operation, { game: HARBOR.name, titleId: RALLY.titleId })).toMatchObject({
        ...{ status: 400, body: { error: 'game and titleId must be of the same game' } },
      });
    },
  );

  it('takes a name before the title ID that it equals', async () => {
    const named = title('deadbeef', HARBOR.titleId.toUpperCase());
    const ask = await run([HARBOR, named]);
    for (const operation of lists) {
      expect((await ask(operation, { game: HARBOR.titleId })).titleIds).toEqual(new Set([named.titleId]));
    }
  });
});
