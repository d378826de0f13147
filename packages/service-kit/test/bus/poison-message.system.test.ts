import { DatabaseSync } from 'node:sqlite';
import { eventsOf } from './bus-fixture.ts';
import { FixtureProcess } from './fixture-process.ts';
import { Recorder, eventually, Gate } from './recorder.ts';
import { JournalBusFixture } from './journal-bus-fixture.ts';
import { pageConsumer, publishPage, publishPages, QUEUE } from './samples.ts';

describe('a message that crashes its process', () => {
  let fixture: JournalBusFixture;
  let child: FixtureProcess | undefined;
  afterEach(async () => {
    await child?.kill();
    await fixture.remove();
  });

  const DEADLY = 13;
  const all = Array.from({ length: 40 }, (_, index) => index + 1);
  const live = async (): Promise<readonly string[]> => {
    child = new FixtureProcess('die.ts', fixture.url, String(DEADLY));
    return child.waitForExit();
  };
  const inFile = <T>(work: (db: DatabaseSync) => T): T => {
    const db = new DatabaseSync(fixture.path);
    try {
      return work(db);
    } finally {
      db.close();
    }
  };
  const handOvers = () => inFile((db) => db.prepare('SELECT begun FROM delivery ORDER BY seq').all());

  beforeEach(async () => {
    fixture = JournalBusFixture.inFile();
    const bus = await fixture.open();
    await publishPages(bus, all);
    await bus.close();
  });

  it('becomes the only dead letter after 20 crashes', async () => {
    await live();
    expect(handOvers()).toEqual([]);
    await live();
    expect(handOvers()).toHaveLength(32);
    // From now on it is delivered alone, after all messages before it.
    for (const begun of [2, 3]) {
      await live();
      expect(handOvers()[0]).toEqual({ begun });
    }
    inFile((db) => db.exec('UPDATE delivery SET begun = 19 WHERE begun = 3'));
    await live();

    const { events, hooks } = eventsOf('dead');
    const bus = await fixture.open({ hooks });
    const rest = new Recorder<number>();
    await bus.consume(pageConsumer((number) => rest.add(number)));
    const reason = 'the process crashed 20 times while handling it';
    expect(await events.waitForCount(1)).toMatchObject([{ queue: QUEUE, reason, count: 1 }]);
    await eventually(
      () => bus.depth(QUEUE),
      (depth) => depth === 0,
    );
    expect(rest.items).not.toContain(DEADLY);
    const office = await fixture.deadLetters();
    expect(await office.list()).toMatchObject([{ queue: QUEUE, reason }]);
    await office.close();
    await bus.close();
    expect(handOvers()).toEqual([]);
  });

  it('is not overtaken by past messages while suspects are delivered one by one', async () => {
    await fixture.remove();
    fixture = JournalBusFixture.inFile();
    const before = await fixture.open();
    for (const number of all) await publishPage(before, number, { past: true });
    await before.close();
    await live();
    await live();
    expect(handOvers().length).toBeGreaterThan(10);

    const bus = await fixture.open();
    const rest = new Recorder<number>();
    await bus.consume(pageConsumer((number) => rest.add(number)));
    const handed = await rest.waitForCount(all.length - DEADLY + 1);
    expect(handed).toEqual([...handed].sort((a, b) => a - b));
    await bus.close();
  });

  it('has its crash count reset by a clean shutdown', async () => {
    await live();
    await live();
    const bus = await fixture.open();
    await bus.close();
    expect(handOvers()).toEqual([]);
    expect(inFile((db) => db.prepare('PRAGMA user_version').get())).toEqual({ user_version: 0 });
  });

  it('does not delay messages published after it', async () => {
    for (let life = 0; life < 3; life += 1) await live();
    const bus = await fixture.open();
    const handled = new Recorder<number>();
    const gate = new Gate();
    await bus.consume(
      pageConsumer(async (number) => {
        if (number === DEADLY) await gate.opened;
        handled.add(number);
      }),
    );
    await publishPage(bus, 99);
    await eventually(
      () => handled.items.includes(99),
      (isHandled) => isHandled,
    );
    expect(handled.items).not.toContain(14);
    gate.open();
    await eventually(
      () => bus.depth(QUEUE),
      (depth) => depth === 0,
    );
    expect(handled.items).toContain(14);
  });
});
