import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { operations, titleStored } from '@lobbystats/contracts';
import { AppError } from '@lobbystats/errors';
import { openBus, type MessageBus } from '@lobbystats/message-bus';
import { silentLogger } from '@lobbystats/service-kit';
import { openSqliteTitleStore } from '../src/adapters/sqlite/sqlite-title-store.ts';
import { TitleCatalog } from '../src/domain/title-catalog.ts';
import type { TitleStore } from '../src/domain/title-store.ts';
import { OutboxRelay } from '../src/messaging/outbox-relay.ts';
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
    const store = openSqliteTitleStore(url, 'simulated');
    const titles = homeTitles({ '4d530064': { name: 'Foo' } });
    await new TitleCatalog(store, () => NOW * 1000).observe([{ seenAt: NOW, titles }], false);
    await store.close();

    const catalog = await run({ env: { DATABASE_URL: url } });
    await until(() => catalog.facts.length === 1);
    expect(catalog.facts[0]?.data.titles).toMatchObject([{ titleId: '4d530064', name: 'Foo' }]);
  });

  it('have the same id when they are published again, because removing them failed', async () => {
    const store = openSqliteTitleStore('sqlite::memory:', 'simulated');
    closes(() => store.close());
    let failures = 1;
    const catalog = await run({
      store: withRemoveFact(store, async (revision) => {
        failures -= 1;
        if (failures >= 0) throw new AppError('unavailable', 'The store is not available');
        await store.removeFact(revision);
      }),
    });
    await catalog.observeHome({ '4d530064': { name: 'Foo' } });
    await until(async () => failures < 0 && (await store.backlog()) === 0);
    await until(() => catalog.facts.length === 2);
    expect(catalog.facts[0]?.id).toBe(catalog.facts[1]?.id);
  });
});

describe('the relay of facts', () => {
  it('stops behind the fact in hand, and leaves the rest for the next start', async () => {
    const store = openSqliteTitleStore('sqlite::memory:', 'simulated');
    closes(() => store.close());
    const inMemory = await openBus({ url: 'memory:', origin: 'simulated' });
    closes(() => inMemory.close());
    const titleCatalog = new TitleCatalog(store, () => NOW * 1000);
    for (const [second, name] of ['One', 'Two', 'Three'].entries()) {
      await titleCatalog.observe([{ seenAt: NOW + second, titles: homeTitles({ '4d530064': { name } }) }], false);
    }

    const confirmations: (() => void)[] = [];
    const publish = () => new Promise<void>((resolve) => void confirmations.push(resolve));
    const bus = overriding(inMemory, { publish });
    const relay = new OutboxRelay({ store, bus, logger: silentLogger(), onBacklog: () => undefined });
    relay.wake();
    await until(() => confirmations.length === 1);
    const stopping = relay.stop();
    confirmations[0]?.();
    // More than it takes to come to the next fact, should it do so.
    for (let turn = 0; turn < 20; turn += 1) await new Promise((resolve) => setImmediate(resolve));
    expect(confirmations).toHaveLength(1);
    await stopping;
    expect(await store.backlog()).toBe(2);
  });
});

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

function withRemoveFact(store: TitleStore, removeFact: TitleStore['removeFact']): TitleStore {
  return overriding(store, { removeFact });
}

function overriding<Port extends object>(port: Port, overrides: Partial<Port>): Port {
  return new Proxy(port, {
    get: (target, key) => {
      const value: unknown = Reflect.get(overrides, key) ?? Reflect.get(target, key);
      return typeof value === 'function' ? (value.bind(target) as unknown) : value;
    },
  });
}
