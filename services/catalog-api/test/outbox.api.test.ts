import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { operations, titleStored } from '@lobbystats/contracts';
import { AppError } from '@lobbystats/errors';
import { openBus, type MessageBus } from '@lobbystats/message-bus';
import { silentLogger } from '@lobbystats/service-kit';
import { openSqliteCatalogStore } from '../src/adapters/sqlite/sqlite-catalog-store.ts';
import { TitleCatalog } from '../src/domain/title-catalog.ts';
import type { CatalogStore } from '../src/domain/catalog-store.ts';
import { FACTS_AT_ONCE, OutboxRelay } from '@lobbystats/message-bus';
import { catalogsOfOneTest, gamesOf, homeTitles, NOW, until } from './running-catalog.ts';

const directory = mkdtempSync(join(tmpdir(), 'catalog-outbox-'));
afterAll(() => {
  rmSync(directory, { recursive: true });
});

const { run, closes } = catalogsOfOneTest();

describe('facts that are stored', () => {
  it('come out in order once the bus is back', async () => {
    const { bus, down } = breakable(await openBus({ url: 'memory:', origin: 'simulated' }));
    closes(() => bus.close());
    const catalog = await run({ bus });
    down.factsFail = true;
    await catalog.observeHome({ '4d530064': { name: 'One' } });
    await catalog.observeHome({ '4d530064': { name: 'Two' } }, { seenAt: NOW + 1 });
    const waiting = async () => ((await catalog.get('/readyz')).body as { outbox: { waiting: number } }).outbox.waiting;
    await until(async () => (await waiting()) === 2);
    expect(gamesOf(await catalog.get(operations.listGames.path))[0]?.name).toBe('Two');
    expect(catalog.facts).toEqual([]);

    down.factsFail = false;
    await until(() => catalog.facts.length === 2);
    expect(catalog.facts.map(({ data }) => data.titles[0]?.name)).toEqual(['One', 'Two']);
    await until(async () => (await waiting()) === 0);
  });

  it('come out at the next start when the process was killed before they were published', async () => {
    const url = `sqlite:${join(directory, 'killed.sqlite')}`;
    const store = openSqliteCatalogStore(url, 'simulated');
    const titles = homeTitles({ '4d530064': { name: 'Foo' } });
    await titlesOver(store).observe([{ seenAt: NOW, titles }], false);
    await store.close();

    const catalog = await run({ env: { DATABASE_URL: url } });
    await until(() => catalog.facts.length === 1);
    expect(catalog.facts[0]?.data.titles).toMatchObject([{ titleId: '4d530064', name: 'Foo' }]);
  });

  it('have the same id when they are published again, because removing them failed', async () => {
    const store = openSqliteCatalogStore('sqlite::memory:', 'simulated');
    closes(() => store.close());
    let failures = 1;
    const catalog = await run({
      store: withRemove(store, async (places) => {
        failures -= 1;
        if (failures >= 0) throw new AppError('unavailable', 'The store is not available');
        await store.outbox.remove(places);
      }),
    });
    await catalog.observeHome({ '4d530064': { name: 'Foo' } });
    await until(async () => failures < 0 && (await store.outbox.backlog()) === 0);
    await until(() => catalog.facts.length === 2);
    expect(catalog.facts[0]?.id).toBe(catalog.facts[1]?.id);
  });
});

describe('the relay of facts', () => {
  it('stops behind the facts in hand, and leaves the rest for the next start', async () => {
    const { store, relay, confirmations } = await withFacts(FACTS_AT_ONCE + 2);
    relay.wake();
    await until(() => confirmations.length === FACTS_AT_ONCE);
    const stopping = relay.stop();
    for (const { resolve } of confirmations) resolve();
    // More than it takes to come to the next facts, should it do so.
    for (let turn = 0; turn < 20; turn += 1) await new Promise((resolve) => setImmediate(resolve));
    expect(confirmations).toHaveLength(FACTS_AT_ONCE);
    await stopping;
    expect(await store.outbox.backlog()).toBe(2);
  });

  it('publishes again all that is behind a fact that failed, so that each comes after those before it', async () => {
    const { store, relay, confirmations } = await withFacts(4);
    relay.wake();
    await until(() => confirmations.length === 4);
    const published = confirmations.splice(0);
    published[1]?.reject(new AppError('unavailable', 'The broker is away'));
    for (const { resolve } of published) resolve();
    await until(() => confirmations.length === 3);
    expect(confirmations.map(({ id }) => id)).toEqual(published.slice(1).map(({ id }) => id));
    for (const { resolve } of confirmations) resolve();
    await until(async () => (await store.outbox.backlog()) === 0);
    await relay.stop();
  });
});

/** A relay over an outbox with facts, and a bus that confirms when it is told to. */
async function withFacts(count: number) {
  const store = openSqliteCatalogStore('sqlite::memory:', 'simulated');
  closes(() => store.close());
  const inMemory = await openBus({ url: 'memory:', origin: 'simulated' });
  closes(() => inMemory.close());
  const titles = titlesOver(store);
  for (let second = 0; second < count; second += 1) {
    const observed = homeTitles({ '4d530064': { name: `Name ${second}` } });
    await titles.observe([{ seenAt: NOW + second, titles: observed }], false);
  }
  const confirmations: { id: string; resolve: () => void; reject: (error: Error) => void }[] = [];
  const publish: MessageBus['publish'] = (_type, _data, { id = '' } = {}) =>
    new Promise<void>((resolve, reject) => void confirmations.push({ id, resolve, reject }));
  const bus = overriding(inMemory, { publish });
  const relay = new OutboxRelay({ outbox: store.outbox, bus, logger: silentLogger(), onBacklog: () => undefined });
  return { store, relay, confirmations };
}

describe('the titles', () => {
  it('are there after a restart', async () => {
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

function titlesOver({ titles }: CatalogStore): TitleCatalog {
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
