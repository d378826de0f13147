import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { operations, titleStored } from '@lobbystats/contracts';
import { AppError } from '@lobbystats/contracts/errors';
import { openBus, type MessageBus } from '@lobbystats/service-kit/bus';
import { silentLogger } from '@lobbystats/service-kit';
import { openSqliteCatalogStore, type CatalogStore } from '../src/open-store.ts';
import { TitleCatalog } from '../src/titles/title-catalog.ts';
import { catalogFixture, gamesOf, homeTitles, NOW, waitUntil } from './running-catalog.ts';
import { RELAY_BATCH_SIZE, OutboxRelay } from '@lobbystats/service-kit/bus';

const directory = mkdtempSync(join(tmpdir(), 'catalog-outbox-'));
afterAll(() => {
  rmSync(directory, { recursive: true });
});

const { run, closes } = catalogFixture();

describe('pending facts', () => {
  it('publishes pending facts in order when the bus is available again', async () => {
    const { bus, down } = breakable(await openBus({ url: 'memory:', origin: 'simulated' }));
    closes(() => bus.close());
    const catalog = await run({ bus });
    down.factsFail = true;
    await catalog.observeHome({ '4d530064': { name: 'One' } });
    await catalog.observeHome({ '4d530064': { name: 'Two' } }, { seenAt: NOW + 1 });
    const waiting = async () => ((await catalog.get('/readyz')).body as { outbox: { waiting: number } }).outbox.waiting;
    await waitUntil(async () => (await waiting()) === 2);
    expect(gamesOf(await catalog.get(operations.listGames.path))[0]?.name).toBe('Two');
    expect(catalog.facts).toEqual([]);

    down.factsFail = false;
    await waitUntil(() => catalog.facts.length === 2);
    expect(catalog.facts.map(({ data }) => data.titles[0]?.name)).toEqual(['One', 'Two']);
    await waitUntil(async () => (await waiting()) === 0);
  });

  it('publishes pending facts at the next start after a crash', async () => {
    const url = `sqlite:${join(directory, 'killed.sqlite')}`;
    const store = openSqliteCatalogStore(url, 'simulated');
    const titles = homeTitles({ '4d530064': { name: 'Foo' } });
    await titleCatalogWith(store).observe([{ seenAt: NOW, titles }], false);
    await store.close();

    const catalog = await run({ env: { DATABASE_URL: url } });
    await waitUntil(() => catalog.facts.length === 1);
    expect(catalog.facts[0]?.data.titles).toMatchObject([{ titleId: '4d530064', name: 'Foo' }]);
  });

  it('publishes a fact again with the same ID when removing it failed', async () => {
    const store = openSqliteCatalogStore('sqlite::memory:', 'simulated');
    closes(() => store.close());
    let failures = 1;
    const catalog = await run({
      store: withRemove(store, async (positions) => {
        failures -= 1;
        if (failures >= 0) throw new AppError('unavailable', 'The store is not available');
        await store.outbox.remove(positions);
      }),
    });
    await catalog.observeHome({ '4d530064': { name: 'Foo' } });
    await waitUntil(async () => failures < 0 && (await store.outbox.backlog()) === 0);
    await waitUntil(() => catalog.facts.length === 2);
    expect(catalog.facts[0]?.id).toBe(catalog.facts[1]?.id);
  });
});

describe('outbox relay', () => {
  it('stops after the facts in flight and leaves the rest for the next start', async () => {
    const { store, relay, confirmations } = await withFacts(RELAY_BATCH_SIZE + 2);
    relay.wake();
    await waitUntil(() => confirmations.length === RELAY_BATCH_SIZE);
    const stopping = relay.stop();
    for (const { resolve } of confirmations) resolve();
    // Long enough for the relay to reach the next facts if it continued.
    for (let tick = 0; tick < 20; tick += 1) await new Promise((resolve) => setImmediate(resolve));
    expect(confirmations).toHaveLength(RELAY_BATCH_SIZE);
    await stopping;
    expect(await store.outbox.backlog()).toBe(2);
  });

  it('republishes a failed fact and all later ones, so that order is preserved', async () => {
    const { store, relay, confirmations } = await withFacts(4);
    relay.wake();
    await waitUntil(() => confirmations.length === 4);
    const published = confirmations.splice(0);
    published[1]?.reject(new AppError('unavailable', 'The broker is away'));
    for (const { resolve } of published) resolve();
    await waitUntil(() => confirmations.length === 3);
    expect(confirmations.map(({ id }) => id)).toEqual(published.slice(1).map(({ id }) => id));
    for (const { resolve } of confirmations) resolve();
    await waitUntil(async () => (await store.outbox.backlog()) === 0);
    await relay.stop();
  });
});

/** A relay over an outbox with facts, and a bus that confirms on demand. */
async function withFacts(count: number) {
  const store = openSqliteCatalogStore('sqlite::memory:', 'simulated');
  closes(() => store.close());
  const inMemory = await openBus({ url: 'memory:', origin: 'simulated' });
  closes(() => inMemory.close());
  const titles = titleCatalogWith(store);
  for (let second = 0; second < count; second += 1) {
    const observed = homeTitles({ '4d530064': { name: `Name ${second}` } });
    await titles.observe([{ seenAt: NOW + second, titles: observed }], false);
  }
  const confirmations: { id: string; resolve: () => void; reject: (error: Error) => void }[] = [];
  const publish: MessageBus['publish'] = (_type, _data, { id = '' } = {}) =>
    new Promise<void>((resolve, reject) => void confirmations.push({ id, resolve, reject }));
  const bus = overriding(inMemory, { publish });
  const relay = new OutboxRelay({ outbox: store.outbox, bus, logger: silentLogger() });
  return { store, relay, confirmations };
}

describe('stored titles', () => {
  it('keeps titles across a restart', async () => {
    const env = { DATABASE_URL: `sqlite:${join(directory, 'restarted.sqlite')}` };
    const first = await run({ env });
    await first.observeHome({ '4d530064': { name: 'Foo' } });
    await first.stop();
    const second = await run({ env });
    expect(gamesOf(await second.get(operations.listGames.path))).toMatchObject([{ name: 'Foo' }]);
  });
});

/** A bus on which facts of titles can be made to fail, as with a broker that is away. */
function breakable(bus: MessageBus): { bus: MessageBus; down: { factsFail: boolean } } {
  const down = { factsFail: false };
  const publish: MessageBus['publish'] = async (type, data, options) => {
    if (down.factsFail && type.key === titleStored.key) throw new AppError('unavailable', 'The broker is away');
    await bus.publish(type, data, options);
  };
  return { down, bus: overriding(bus, { publish }) };
}

function withRemove(store: CatalogStore, remove: CatalogStore['outbox']['remove']): CatalogStore {
  return { ...store, outbox: overriding(store.outbox, { remove }) };
}

function titleCatalogWith({ titles }: CatalogStore): TitleCatalog {
  return new TitleCatalog({ store: titles, clock: () => NOW * 1000, origin: 'simulated' });
}

function overriding<Port extends object>(port: Port, overrides: Partial<Port>): Port {
  return new Proxy(port, {
    get: (target, key) => {
      const value: unknown = Reflect.get(overrides, key) ?? Reflect.get(target, key);
      return typeof value === 'function' ? (value.bind(target) as unknown) : value;
    },
  });
}
