import { DatabaseSync } from 'node:sqlite';
import { AppError } from '@lobbystats/errors';
import { JournalInUseError, openBus } from '@lobbystats/message-bus';
import { Child } from './child.ts';
import { Collected, eventually, Gate } from './collected.ts';
import { JournalBusPlace } from './journal-place.ts';
import { factNumberOf, ORIGIN, pageConsumer, publishFact, publishPage, publishPages, QUEUE } from './samples.ts';

describe('a journal in a file', () => {
  let place: JournalBusPlace;
  let child: Child | undefined;
  beforeEach(() => {
    place = JournalBusPlace.inFile();
  });
  afterEach(async () => {
    await child?.kill();
    await place.remove();
  });

  describe('its owner', () => {
    it('is one process: a second one is told whose it is', async () => {
      child = new Child('hold.ts', place.url);
      await child.says(1);
      const open = openBus({ url: place.url, origin: ORIGIN });
      await expect(open).rejects.toThrow(JournalInUseError);
      await expect(open).rejects.toThrow(new RegExp(`in use by process ${String(child.pid)}: .*BUS_URL`));
    });

    it('is refused in the same process too, and welcome when the first one has closed', async () => {
      const first = await place.open();
      await expect(openBus({ url: place.url, origin: ORIGIN })).rejects.toThrow(`process ${process.pid}`);
      await publishPage(first, 1);
      await first.close();
      const second = await place.open();
      expect(await second.depth(QUEUE)).toBe(1);
    });

    it('leaves no lock behind when it is killed', async () => {
      child = new Child('hold.ts', place.url);
      await child.says(1);
      await child.kill();
      await expect(place.open()).resolves.toBeDefined();
    });

    it('is refused, and leaves no lock behind, when the journal speaks of another network', async () => {
      await (await place.open()).close();
      await expect(openBus({ url: place.url, origin: 'elsewhere' })).rejects.toThrow(
        /filled by the network "simulated"/,
      );
      await expect(place.open()).resolves.toBeDefined();
    });
  });

  describe('when it cannot be written', () => {
    it('refuses to publish, says so, keeps what is done, and goes on when it can', async () => {
      const bus = await place.open();
      place.journal.store.db.exec('PRAGMA busy_timeout = 0');
      const begun = new Collected<number>();
      const gate = new Gate();
      await bus.consume(
        pageConsumer(
          async (number) => {
            begun.add(number);
            await gate.opened;
          },
          { prefetch: 2 },
        ),
      );
      await publishPages(bus, [1, 2, 3, 4]);
      await begun.reaches(2);

      const other = new DatabaseSync(place.path);
      other.exec('BEGIN IMMEDIATE');
      await expect(publishPage(bus, 5)).rejects.toMatchObject({ code: 'unavailable' });
      gate.open();
      await expect(bus.check()).rejects.toMatchObject({ code: 'unavailable' });
      expect(await bus.depth(QUEUE)).toBe(4);
      expect(begun.items).toEqual([1, 2]);

      other.exec('ROLLBACK');
      other.close();
      await publishPage(bus, 5);
      expect(await begun.reaches(5)).toEqual([1, 2, 3, 4, 5]);
      await expect(bus.check()).resolves.toBeUndefined();
      expect(
        await eventually(
          () => bus.depth(QUEUE),
          (depth) => depth === 0,
        ),
      ).toBe(0);
    });

    it('finds out by itself that there is room again', async () => {
      const bus = await place.open();
      const { db } = place.journal.store;
      const gate = new Gate();
      const seen = new Collected<number>();
      await bus.consume(
        pageConsumer(
          async (number) => {
            seen.add(number);
            await gate.opened;
          },
          { prefetch: 1 },
        ),
      );
      await publishPages(bus, [1, 2]);
      await seen.reaches(1);
      const pages = Number(db.prepare('PRAGMA page_count').get()?.['page_count']);
      db.exec(`PRAGMA max_page_count = ${pages}`);
      const id = 'x'.repeat(190);
      const publishing = Promise.all(Array.from({ length: 200 }, (_, number) => publishPage(bus, number, { id })));
      await expect(publishing).rejects.toMatchObject({ code: 'unavailable' });
      gate.open();
      db.exec('PRAGMA max_page_count = 100000');
      expect(await seen.reaches(2)).toEqual([1, 2]);
      expect(db.prepare('PRAGMA integrity_check').get()).toMatchObject({ integrity_check: 'ok' });
    });
  });

  it('requeues only what was dead at the beginning, though a consumer at work lets it die again', async () => {
    const bus = await place.open();
    const { store } = place.journal;
    await publishPages(
      bus,
      Array.from({ length: 450 }, (_, number) => number),
    );
    store.run(`INSERT INTO dead_letter (queue, priority, attempts, reason, died_at, body)
               SELECT queue, priority, 1, 'no', 0, body FROM queued`);
    // Stands for that consumer, who is in another process than the one that requeues.
    store.db.exec(`CREATE TRIGGER dies_again AFTER INSERT ON queued WHEN NEW.seq < 5000 BEGIN
                     INSERT INTO dead_letter (queue, priority, attempts, reason, died_at, body)
                     VALUES (NEW.queue, 0, 1, 'no', 0, NEW.body);
                   END`);
    expect(await (await place.deadLetters()).requeue()).toBe(450);
  });

  it('delivers later what it could not read at once', async () => {
    const bus = await place.open();
    const unreadable = (): never => {
      throw new AppError('unavailable', 'The disk is away');
    };
    const newOnes = jest.spyOn(place.journal, 'queuedAfter').mockImplementationOnce(unreadable);
    const oldOnes = jest.spyOn(place.journal, 'queuedAt').mockImplementationOnce(unreadable);
    const seen = new Collected<number>();
    await bus.consume(
      pageConsumer((number) => {
        seen.add(number);
        if (seen.items.length === 1) throw new Error('not yet');
      }),
    );
    await publishPage(bus, 1);
    expect(await seen.reaches(2)).toEqual([1, 1]);
    expect(newOnes).toHaveBeenCalled();
    expect(oldOnes).toHaveBeenCalledTimes(2);
  });

  it('tells a reader whose position is no longer kept, or who is overtaken by retention', async () => {
    const bus = await place.open();
    await publishFact(bus, 1);
    const position = await bus.logEnd();
    for (const number of [2, 3, 4, 5]) await publishFact(bus, number);
    place.journal.store.run('DELETE FROM fact WHERE log_offset <= 2');
    const seen = new Collected<string>();
    await bus.readLog({
      from: position,
      onEntry: ({ message }) => {
        seen.add(`fact ${factNumberOf(message)}`);
        // The reader holds the rest of its page in hand: facts 4 and 5. What comes after that is overtaken.
        if (factNumberOf(message) !== 5) return;
        place.journal.store.transaction(() => {
          place.journal.add({ queues: [], fact: true, priority: 0, expiresAt: null, body: 'dropped' }, 0);
          place.journal.add({ queues: [], fact: true, priority: 0, expiresAt: null, body: 'no JSON' }, 0);
          place.journal.store.run('DELETE FROM fact WHERE log_offset <= 6');
        });
      },
      onReset: () => seen.add('reset'),
      onFault: (error) => {
        throw error;
      },
    });
    await seen.reaches(4);
    await publishFact(bus, 8);
    expect(await seen.reaches(6)).toEqual(['reset', 'fact 3', 'fact 4', 'fact 5', 'reset', 'fact 8']);
  });

  it('calls onCaughtUp although the newest fact can not be read', async () => {
    const bus = await place.open();
    await publishFact(bus, 1);
    place.journal.add({ queues: [], fact: true, priority: 0, expiresAt: null, body: 'no JSON' }, 0);
    const seen = new Collected<string>();
    await bus.readLog({
      from: 'start',
      onEntry: ({ message }) => seen.add(`fact ${factNumberOf(message)}`),
      onCaughtUp: () => seen.add('end'),
      onFault: (error) => {
        throw error;
      },
    });
    expect(await seen.reaches(2)).toEqual(['fact 1', 'end']);
  });
});
