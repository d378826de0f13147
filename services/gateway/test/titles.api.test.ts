import {
  allOperations,
  gamePathsOf,
  operations,
  slotStored,
  titleStored,
  type GameMetadata,
} from '@lobbystats/contracts';
import type { LogReader, MessageBus } from '@lobbystats/service-kit/bus';
import { route } from '@lobbystats/service-kit';
import { eventually, memoryBus } from '@lobbystats/test-kit';
import { catalogRoutes, HARBOR, network, RALLY, title } from './network.ts';
import { freeUrl, runGateway, startRawUpstream, startStubUpstream, type RunningGateway } from './running-gateway.ts';
import { fillPath } from './sample-request.ts';

const CHESS = title('ffffffff', 'Chess');

const gamePath = (game: string) => String(operations.getMatches.gamePath).replace(':game', encodeURIComponent(game));

/** The title ID of a name, or the error status. */
async function resolvedTitleId(gateway: RunningGateway, game: string): Promise<unknown> {
  const { status, body } = await gateway.request(gamePath(game));
  return status === 200 ? (body as { titleId: string }).titleId : status;
}

/** Stores titles in the stub upstream and publishes the fact. */
async function storeTitles(gateway: RunningGateway, revision: number, titles: GameMetadata[]): Promise<void> {
  const changed = new Map(titles.map((one) => [one.titleId, one]));
  for (const one of gateway.network.titles) if (!changed.has(one.titleId)) changed.set(one.titleId, one);
  gateway.network.titles = [...changed.values()];
  await gateway.bus.publish(titleStored, { revision, titles });
}

/** A bus that exposes its log readers: the stream backfill, then the subscriber. */
function interceptedBus(bus: MessageBus) {
  const readers: LogReader[] = [];
  const tapped = new Proxy(bus, {
    get: (target, name) => {
      if (name === 'readLog') {
        return (reader: LogReader) => {
          readers.push(reader);
          return target.readLog(reader);
        };
      }
      const value: unknown = Reflect.get(target, name);
      return typeof value === 'function' ? (value.bind(target) as unknown) : value;
    },
  });
  return { bus: tapped, readers };
}

describe('game names', () => {
  it('resolve from the start', async () => {
    const gateway = await runGateway();
    expect(await resolvedTitleId(gateway, 'harbor racing')).toBe(HARBOR.titleId);
  });

  it('take precedence over title IDs on all other paths than matches, even for a game named like the ID of another', async () => {
    const named = title('deadbeef', HARBOR.titleId.toUpperCase());
    const gateway = await runGateway({ network: network({ titles: [HARBOR, named] }) });
    for (const path of allOperations.filter((operation) => operation.prefersTitleId !== true).flatMap(gamePathsOf)) {
      const byName = await gateway.request(fillPath(path, { game: HARBOR.titleId }));
      const byId = await gateway.request(fillPath(path, { game: named.titleId }));
      expect([path, byName.status, byName.text]).toEqual([path, 200, byId.text]);
    }
    // Asked for matches, whose parameter is a title ID first.
    expect(await resolvedTitleId(gateway, HARBOR.titleId)).toBe(HARBOR.titleId);
    expect(await resolvedTitleId(gateway, HARBOR.name)).toBe(HARBOR.titleId);
  });

  it('resolve as soon as a title is stored', async () => {
    const gateway = await runGateway();
    expect(await resolvedTitleId(gateway, 'chess')).toBe(404);
    await storeTitles(gateway, 2, [CHESS]);
    await eventually(async () => expect(await resolvedTitleId(gateway, 'chess')).toBe(CHESS.titleId));
    expect(await resolvedTitleId(gateway, 'rally')).toBe(RALLY.titleId);
  });

  it('follow a renamed title, and two titles that swap names', async () => {
    const gateway = await runGateway();
    await storeTitles(gateway, 2, [{ ...HARBOR, name: 'Harbor' }]);
    await eventually(async () => expect(await resolvedTitleId(gateway, 'harbor')).toBe(HARBOR.titleId));
    expect(await resolvedTitleId(gateway, 'Harbor Racing')).toBe(404);
    await storeTitles(gateway, 3, [
      { ...HARBOR, name: 'Rally' },
      { ...RALLY, name: 'Harbor' },
    ]);
    await eventually(async () => expect(await resolvedTitleId(gateway, 'harbor')).toBe(RALLY.titleId));
    expect(await resolvedTitleId(gateway, 'rally')).toBe(HARBOR.titleId);
  });

  it('are not lost when a title is stored during the initial load', async () => {
    const asked = Promise.withResolvers<undefined>();
    const released = Promise.withResolvers<undefined>();
    const known = network();
    const catalog = await startStubUpstream([
      route(operations.listTitles, async () => {
        const titles = known.titles;
        asked.resolve(undefined);
        await released.promise;
        return { body: { revision: 1, titles } };
      }),
    ]);
    const bus = await memoryBus();
    const starting = runGateway({ network: known, env: { CATALOG_API_URL: catalog.url }, overrides: { bus } });
    await asked.promise;
    known.titles = [...known.titles, CHESS];
    await bus.publish(titleStored, { revision: 2, titles: [CHESS] });
    released.resolve(undefined);
    const gateway = await starting;
    await eventually(async () => expect(await resolvedTitleId(gateway, 'chess')).toBe(CHESS.titleId));
  });

  it('are loaded page by page, any number of them', async () => {
    const known = network();
    known.titles = [...known.titles, CHESS];
    const pages = new Map<string | undefined, { titles: GameMetadata[]; next?: string }>([
      [undefined, { titles: [RALLY], next: RALLY.titleId }],
      [RALLY.titleId, { titles: [HARBOR], next: HARBOR.titleId }],
      [HARBOR.titleId, { titles: [CHESS] }],
    ]);
    const catalog = await startStubUpstream([
      route(operations.listTitles, async ({ query: { after } }) => ({
        body: { revision: 1, ...(pages.get(after) ?? { titles: [] }) },
      })),
    ]);
    const gateway = await runGateway({ network: known, env: { CATALOG_API_URL: catalog.url } });
    const ids = await Promise.all(['harbor racing', 'rally', 'chess'].map((name) => resolvedTitleId(gateway, name)));
    expect(ids).toEqual([HARBOR.titleId, RALLY.titleId, CHESS.titleId]);
  });

  it('are unknown once they are retired, until they are stored again', async () => {
    const gateway = await runGateway();
    await gateway.bus.publish(titleStored, { revision: 2, titles: [], retired: [RALLY.titleId] });
    await eventually(async () => expect(await resolvedTitleId(gateway, 'rally')).toBe(404));
    expect(await resolvedTitleId(gateway, RALLY.titleId)).toBe(404);
    await storeTitles(gateway, 3, [RALLY]);
    await eventually(async () => expect(await resolvedTitleId(gateway, 'rally')).toBe(RALLY.titleId));
  });

  it('are reloaded when facts may have been missed', async () => {
    const { bus, readers } = interceptedBus(await memoryBus());
    const gateway = await runGateway({ overrides: { bus } });
    gateway.network.titles = [RALLY, CHESS];
    const reader = readers.at(-1);
    // As in the bus, an error thrown by `onReset` stops the reader.
    await expect(Promise.resolve().then(() => reader?.onReset?.())).rejects.toThrow('facts have left the log');
    reader?.onFault(new Error('the reader has stopped'));
    await eventually(async () => expect(await resolvedTitleId(gateway, 'chess')).toBe(CHESS.titleId));
    expect(await resolvedTitleId(gateway, 'harbor racing')).toBe(404);
  });

  it('include titles stored while the log reader was down', async () => {
    const { bus, readers } = interceptedBus(await memoryBus());
    const gateway = await runGateway({ overrides: { bus } });
    await storeTitles(gateway, 2, [{ ...HARBOR, name: 'Harbor' }]);
    await eventually(async () => expect(await resolvedTitleId(gateway, 'harbor')).toBe(HARBOR.titleId));
    readers.at(-1)!.onFault(new Error('the log is gone'));
    await eventually(async () => expect((await gateway.request('/readyz')).status).toBe(503));
    expect(await resolvedTitleId(gateway, 'rally')).toBe(RALLY.titleId);
    await storeTitles(gateway, 3, [CHESS]);
    await eventually(async () => expect((await gateway.request('/readyz')).status).toBe(200));
    await eventually(async () => expect(await resolvedTitleId(gateway, 'chess')).toBe(CHESS.titleId));
    expect(gateway.catalog.requests.filter(({ url }) => url === operations.listTitles.path)).toHaveLength(1);
  });

  it('are not affected by facts of other types', async () => {
    const gateway = await runGateway();
    await gateway.bus.publish(slotStored, { slot: '2027-01-15T08:00:00Z', online: 1, lobbies: null });
    await storeTitles(gateway, 2, [CHESS]);
    await eventually(async () => expect(await resolvedTitleId(gateway, 'chess')).toBe(CHESS.titleId));
  });
});

describe('gateway that has not loaded the titles', () => {
  it('serves paths without names, reports titles as down, and recovers when catalog-api is back', async () => {
    const url = await freeUrl();
    const known = network();
    const gateway = await runGateway({ network: known, env: { CATALOG_API_URL: url } });

    expect((await gateway.request('/healthz')).status).toBe(200);
    const ready = await gateway.request('/readyz');
    expect([ready.status, ready.body]).toMatchObject([
      503,
      { status: 'not ready', dependencies: { titles: { status: 'down', error: 'not loaded yet' } } },
    ]);
    expect((await gateway.request(operations.getOnlineSeries.path)).status).toBe(200);
    expect((await gateway.request(operations.getMatches.path.replace(':titleId', HARBOR.titleId))).status).toBe(200);
    for (const path of [gamePath('Harbor Racing'), gamePath(HARBOR.titleId), operations.getOnlineUsers.path]) {
      const { status, body, headers } = await gateway.request(path);
      expect([status, body]).toEqual([503, { error: 'The games are not known yet, try again soon' }]);
      expect(headers).toMatchObject({ 'retry-after': '5', 'cache-control': 'no-store' });
    }

    await startStubUpstream(catalogRoutes(known), 'test', Number(new URL(url).port));
    await eventually(async () => expect((await gateway.request('/readyz')).status).toBe(200));
    expect(await resolvedTitleId(gateway, 'harbor racing')).toBe(HARBOR.titleId);
    expect((await gateway.request(operations.getOnlineUsers.path)).status).toBe(200);
  });

  it('rejects titles that violate their schema, and accepts unknown fields', async () => {
    const known = network({ titles: [{ titleId: HARBOR.titleId } as GameMetadata] });
    const gateway = await runGateway({
      network: known,
      env: { CATALOG_API_URL: await serveTitles(() => known.titles) },
    });
    expect((await gateway.request('/readyz')).status).toBe(503);
    known.titles = [{ ...HARBOR, rating: 'T' } as GameMetadata];
    await eventually(async () => expect((await gateway.request('/readyz')).status).toBe(200));
    const { body } = await gateway.request(operations.getOnlineUsers.path);
    expect(Object.keys((body as Record<string, object>)[HARBOR.name]!)).not.toContain('rating');
  });
});

/** A catalog-api whose responses are not validated. */
function serveTitles(titles: () => unknown): Promise<string> {
  return startRawUpstream((_req, res) => {
    res.writeHead(200, { 'Content-Type': 'application/json' }).end(JSON.stringify({ revision: 1, titles: titles() }));
  });
}
