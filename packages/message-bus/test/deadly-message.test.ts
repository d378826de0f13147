import { DatabaseSync } from 'node:sqlite';
import { eventsOf } from './bus-place.ts';
import { Child } from './child.ts';
import { Collected, eventually, Gate } from './collected.ts';
import { JournalBusPlace } from './journal-place.ts';
import { pageConsumer, publishPage, publishPages, QUEUE } from './samples.ts';

describe('a message that kills its process', () => {
  let place: JournalBusPlace;
  let child: Child | undefined;
  afterEach(async () => {
    await child?.kill();
    await place.remove();
  });

  const DEADLY = 13;
  const all = Array.from({ length: 40 }, (_, index) => index + 1);
  const live = async (): Promise<readonly string[]> => {
    child = new Child('die.ts', place.url, String(DEADLY));
    return child.ends();
  };
  const inFile = <T>(work: (db: DatabaseSync) => T): T => {
    const db = new DatabaseSync(place.path);
    try {
      return work(db);
    } finally {
      db.close();
    }
  };
  const handOvers = () => inFile((db) => db.prepare('SELECT begun FROM hand_over ORDER BY seq').all());

  beforeEach(async () => {
    place = JournalBusPlace.inFile();
    const bus = await place.open();
    await publishPages(bus, all);
    await bus.close();
  });

  it('is a dead letter after 20 deaths, and takes no other with it', async () => {
    await live();
    expect(handOvers()).toEqual([]);
    await live();
    expect(handOvers()).toHaveLength(32);
    // From now on it is alone in hand, with all that came before it out of the way.
    for (const begun of [2, 3]) {
      await live();
      expect(handOvers()[0]).toEqual({ begun });
    }
    inFile((db) => db.exec('UPDATE hand_over SET begun = 19 WHERE begun = 3'));
    await live();

    const { events, hooks } = eventsOf('dead');
    const bus = await place.open({ hooks });
    const rest = new Collected<number>();
    await bus.consume(pageConsumer((number) => rest.add(number)));
    const reason = 'the process died 20 times while it was handled';
    expect(await events.reaches(1)).toMatchObject([{ queue: QUEUE, reason, count: 1 }]);
    await eventually(
      () => bus.depth(QUEUE),
      (depth) => depth === 0,
    );
    expect(rest.items).not.toContain(DEADLY);
    const office = await place.deadLetters();
    expect(await office.list()).toMatchObject([{ queue: QUEUE, reason }]);
    await office.close();
    await bus.close();
    expect(handOvers()).toEqual([]);
  }, 30_000);

  it('is passed by nothing of the past, while what was in hand with it goes one by one', async () => {
    await place.remove();
    place = JournalBusPlace.inFile();
    const before = await place.open();
    for (const number of all) await publishPage(before, number, { past: true });
    await before.close();
    await live();
    await live();
    expect(handOvers().length).toBeGreaterThan(10);

    const bus = await place.open();
    const rest = new Collected<number>();
    await bus.consume(pageConsumer((number) => rest.add(number)));
    const handed = await rest.reaches(all.length - DEADLY + 1);
    expect(handed).toEqual([...handed].sort((a, b) => a - b));
    await bus.close();
  }, 30_000);

  it('is counted anew after an orderly stop', async () => {
    await live();
    await live();
    const bus = await place.open();
    await bus.close();
    expect(handOvers()).toEqual([]);
    expect(inFile((db) => db.prepare('PRAGMA user_version').get())).toEqual({ user_version: 0 });
  }, 30_000);

  it('does not make others wait that came after it', async () => {
    for (let life = 0; life < 3; life += 1) await live();
    const bus = await place.open();
    const handled = new Collected<number>();
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
  }, 30_000);
});
