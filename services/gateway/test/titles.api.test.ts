import {
  allOperations,
  gamePathsOf,
  operations,
  slotStored,
  titleStored,
  type GameMetadata,
} from '@lobbystats/contracts';
import type { LogReader, MessageBus } from '@lobbystats/message-bus';
import { route } from '@lobbystats/service-kit';
import { eventually, memoryBus } from '@lobbystats/test-kit';
import { catalogRoutes, HARBOR, network, RALLY, title } from './network.ts';
import { freeUrl, runGateway, startBadOwner, startOwner, type RunningGateway } from './running-gateway.ts';
import { filled } from './sample-request.ts';

const CHESS = title('ffffffff', 'Chess');

const gamePath = (game: string) => String(operations.getMatches.gamePath).replace(':game', encodeURIComponent(game));

/** The title ID that a name leads to, or the status where it leads nowhere. */
async function idOf(gateway: RunningGateway, game: string): Promise<unknown> {
  const { status, body } = await gateway.ask(gamePath(game));
  return status === 200 ? (body as { titleId: string }).titleId : status;
}

/** Tells the fact, and what it tells of is so at the owners. */
async function store(gateway: RunningGateway, revision: number, titles: GameMetadata[]): Promise<void> {
  const changed = new Map(titles.map((one) => [one.titleId, one]));
  for (const one of gateway.known.titles) if (!changed.has(one.titleId)) changed.set(one.titleId, one);
  gateway.known.titles = [...changed.values()];
  await gateway.bus.publish(titleStored, { revision, titles });
}

/** A bus that lets a test tell its readers things: that of the stream's backfill, then the follower. */
function tappedBus(bus: MessageBus) {
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

describe('names', () => {
  it('are known from the start', async () => {
    const gateway = await runGateway();
    expect(await idOf(gateway, 'harbor racing')).toBe(HARBOR.titleId);
  });

  it('win over title IDs on every path by name, also where a game is named like the title ID of another', async () => {
    const named = title('deadbeef', HARBOR.titleId.toUpperCase());
    const gateway = await runGateway({ known: network({ titles: [HARBOR, named] }) });
    for (const path of allOperations.flatMap(gamePathsOf)) {
      const byName = await gateway.ask(filled(path, { game: HARBOR.titleId }));
      const byId = await gateway.ask(filled(path, { game: named.titleId }));
      expect([path, byName.status, byName.text]).toEqual([path, 200, byId.text]);
    }
    expect(await idOf(gateway, HARBOR.titleId)).toBe(named.titleId);
    expect(await idOf(gateway, HARBOR.name)).toBe(HARBOR.titleId);
  });

  it('are known as soon as a title is stored', async () => {
    const gateway = await runGateway();
    expect(await idOf(gateway, 'chess')).toBe(404);
    await store(gateway, 2, [CHESS]);
    await eventually(async () => expect(await idOf(gateway, 'chess')).toBe(CHESS.titleId));
    expect(await idOf(gateway, 'rally')).toBe(RALLY.titleId);
  });

  it('follow a title that is renamed, and two that change names', async () => {
    const gateway = await runGateway();
    await store(gateway, 2, [{ ...HARBOR, name: 'Harbor' }]);
    await eventually(async () => expect(await idOf(gateway, 'harbor')).toBe(HARBOR.titleId));
    expect(await idOf(gateway, 'Harbor Racing')).toBe(404);
    await store(gateway, 3, [
      { ...HARBOR, name: 'Rally' },
      { ...RALLY, name: 'Harbor' },
    ]);
    await eventually(async () => expect(await idOf(gateway, 'harbor')).toBe(RALLY.titleId));
    expect(await idOf(gateway, 'rally')).toBe(HARBOR.titleId);
  });

  it('are not lost when they are stored while the titles are being loaded', async () => {
    const asked = Promise.withResolvers<undefined>();
    const released = Promise.withResolvers<undefined>();
    const known = network();
    const catalog = await startOwner([
      route(operations.listTitles, async () => {
        const titles = known.titles;
        asked.resolve(undefined);
        await released.promise;
        return { body: { revision: 1, titles } };
      }),
    ]);
    const bus = await memoryBus();
    const starting = runGateway({ known, env: { CATALOG_API_URL: catalog.url }, overrides: { bus } });
    await asked.promise;
    known.titles = [...known.titles, CHESS];
    await bus.publish(titleStored, { revision: 2, titles: [CHESS] });
    released.resolve(undefined);
    const gateway = await starting;
    await eventually(async () => expect(await idOf(gateway, 'chess')).toBe(CHESS.titleId));
  });

  it('are loaded anew when facts may have been missed', async () => {
    const { bus, readers } = tappedBus(await memoryBus());
    const gateway = await runGateway({ overrides: { bus } });
    gateway.known.titles = [RALLY, CHESS];
    const reader = readers.at(-1);
    // As the bus does it: what `onReset` throws stops the reader.
    await expect(Promise.resolve().then(() => reader?.onReset?.())).rejects.toThrow('facts have left the log');
    reader?.onFault(new Error('the reader has stopped'));
    await eventually(async () => expect(await idOf(gateway, 'chess')).toBe(CHESS.titleId));
    expect(await idOf(gateway, 'harbor racing')).toBe(404);
  });

  it('are followed on from where the reader broke off: what came meanwhile is not missed', async () => {
    const { bus, readers } = tappedBus(await memoryBus());
    const gateway = await runGateway({ overrides: { bus } });
    await store(gateway, 2, [{ ...HARBOR, name: 'Harbor' }]);
    await eventually(async () => expect(await idOf(gateway, 'harbor')).toBe(HARBOR.titleId));
    readers.at(-1)!.onFault(new Error('the log is gone'));
    await eventually(async () => expect((await gateway.ask('/readyz')).status).toBe(503));
    expect(await idOf(gateway, 'rally')).toBe(RALLY.titleId);
    await store(gateway, 3, [CHESS]);
    await eventually(async () => expect((await gateway.ask('/readyz')).status).toBe(200));
    await eventually(async () => expect(await idOf(gateway, 'chess')).toBe(CHESS.titleId));
    expect(gateway.catalog.seen.filter(({ url }) => url === operations.listTitles.path)).toHaveLength(1);
  });

  it('stay as they are through facts of other kinds', async () => {
    const gateway = await runGateway();
    await gateway.bus.publish(slotStored, { slot: '2027-01-15T08:00:00Z', online: 1, lobbies: null });
    await store(gateway, 2, [CHESS]);
    await eventually(async () => expect(await idOf(gateway, 'chess')).toBe(CHESS.titleId));
  });
});

describe('a gateway that has never had the titles', () => {
  it('answers what needs no name, says what is missing, and mends by itself when catalog-api comes', async () => {
    const url = await freeUrl();
    const known = network();
    const gateway = await runGateway({ known, env: { CATALOG_API_URL: url } });

    expect((await gateway.ask('/healthz')).status).toBe(200);
    const ready = await gateway.ask('/readyz');
    expect([ready.status, ready.body]).toMatchObject([
      503,
      { status: 'not ready', dependencies: { titles: { status: 'down', error: 'not loaded yet' } } },
    ]);
    expect((await gateway.ask(operations.getOnlineSeries.path)).status).toBe(200);
    expect((await gateway.ask(operations.getMatches.path.replace(':titleId', HARBOR.titleId))).status).toBe(200);
    for (const path of [gamePath('Harbor Racing'), gamePath(HARBOR.titleId), operations.getOnlineUsers.path]) {
      const { status, body, headers } = await gateway.ask(path);
      expect([status, body]).toEqual([503, { error: 'The games are not known yet, try again soon' }]);
      expect(headers).toMatchObject({ 'retry-after': '5', 'cache-control': 'no-store' });
    }

    await startOwner(catalogRoutes(known), 'test', Number(new URL(url).port));
    await eventually(async () => expect((await gateway.ask('/readyz')).status).toBe(200));
    expect(await idOf(gateway, 'harbor racing')).toBe(HARBOR.titleId);
    expect((await gateway.ask(operations.getOnlineUsers.path)).status).toBe(200);
  });

  it('takes no titles that are off their schema, but new fields in good ones', async () => {
    const known = network({ titles: [{ titleId: HARBOR.titleId } as GameMetadata] });
    const gateway = await runGateway({ known, env: { CATALOG_API_URL: await serveTitles(() => known.titles) } });
    expect((await gateway.ask('/readyz')).status).toBe(503);
    known.titles = [{ ...HARBOR, rating: 'T' } as GameMetadata];
    await eventually(async () => expect((await gateway.ask('/readyz')).status).toBe(200));
    const { body } = await gateway.ask(operations.getOnlineUsers.path);
    expect(Object.keys((body as Record<string, object>)[HARBOR.name]!)).not.toContain('rating');
  });
});

/** A catalog-api whose answers nobody checks. */
function serveTitles(titles: () => unknown): Promise<string> {
  return startBadOwner((_req, res) => {
    res.writeHead(200, { 'Content-Type': 'application/json' }).end(JSON.stringify({ revision: 1, titles: titles() }));
  });
}
