import { DatabaseSync } from 'node:sqlite';
import { AppError } from '@lobbystats/contracts/errors';
import { JournalInUseError, openBus } from '../../src/bus/index.ts';
import { FixtureProcess } from './fixture-process.ts';
import { Recorder, eventually, Gate } from './recorder.ts';
import { JournalBusFixture } from './journal-bus-fixture.ts';
import { factNumberOf, ORIGIN, pageConsumer, publishFact, publishPage, publishPages, QUEUE } from './samples.ts';

describe('a journal in a file', () => {
  let fixture: JournalBusFixture;
  let child: FixtureProcess | undefined;
  beforeEach(() => {
    fixture = JournalBusFixture.inFile();
  });
  afterEach(async () => {
    await child?.kill();
    await fixture.remove();
  });

  describe('its lock', () => {
    it('is refused to a second process, with the ID of the first', async () => {
      child = new FixtureProcess('hold.ts', fixture.url);
      await child.waitForLines(1);
      const open = openBus({ url: fixture.url, origin: ORIGIN });
      await expect(open).rejects.toThrow(JournalInUseError);
      await expect(open).rejects.toThrow(new RegExp(`in use by process ${String(child.pid)}: .*BUS_URL`));
    });

    it('is refused to a second bus in the same process until the first is closed', async () => {
      const first = await fixture.open();
      await expect(openBus({ url: fixture.url, origin: ORIGIN })).rejects.toThrow(`process ${process.pid}`);
      await publishPage(first, 1);
      await first.close();
      const second = await fixture.open();
      expect(await second.depth(QUEUE)).toBe(1);
    });

    it('is released when its process is killed', async () => {
      child = new FixtureProcess('hold.ts', fixture.url);
      await child.waitForLines(1);
      await child.kill();
      await expect(fixture.open()).resolves.toBeDefined();
    });

    it('is released when the journal belongs to another network', async () => {
      await (await fixture.open()).close();
      await expect(openBus({ url: fixture.url, origin: 'elsewhere' })).rejects.toThrow(
        /filled by the network "simulated"/,
      );
      await expect(fixture.open()).resolves.toBeDefined();
    });
  });

  describe('when it cannot be written', () => {
    it('rejects publish and check as unavailable, keeps settlements, and recovers', async () => {
      const bus = await fixture.open();
      fixture.journal.store.db.exec('PRAGMA busy_timeout = 0');
      const begun = new Recorder<number>();
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
      await begun.waitForCount(2);

      const other = new DatabaseSync(fixture.path);
      other.exec('BEGIN IMMEDIATE');
      await expect(publishPage(bus, 5)).rejects.toMatchObject({ code: 'unavailable' });
      gate.open();
      await expect(bus.check()).rejects.toMatchObject({ code: 'unavailable' });
      expect(await bus.depth(QUEUE)).toBe(4);
      expect(begun.items).toEqual([1, 2]);

      other.exec('ROLLBACK');
      other.close();
      await publishPage(bus, 5);
      expect(await begun.waitForCount(5)).toEqual([1, 2, 3, 4, 5]);
      await expect(bus.check()).resolves.toBeUndefined();
      expect(
        await eventually(
          () => bus.depth(QUEUE),
          (depth) => depth === 0,
        ),
      ).toBe(0);
    });

    it('resumes by itself once the disk has space again', async () => {
      const bus = await fixture.open();
      const { db } = fixture.journal.store;
      const gate = new Gate();
      const seen = new Recorder<number>();
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
      await seen.waitForCount(1);
      const pages = Number(db.prepare('PRAGMA page_count').get()?.['page_count']);
      db.exec(`PRAGMA max_page_count = ${pages}`);
      const id = 'x'.repeat(190);
      const publishing = Promise.all(Array.from({ length: 200 }, (_, number) => publishPage(bus, number, { id })));
      await expect(publishing).rejects.toMatchObject({ code: 'unavailable' });
      gate.open();
      db.exec('PRAGMA max_page_count = 100000');
      expect(await seen.waitForCount(2)).toEqual([1, 2]);
      expect(db.prepare('PRAGMA integrity_check').get()).toMatchObject({ integrity_check: 'ok' });
    });
  });

  it('requeue returns only messages that were dead at its start, even if they die again meanwhile', async () => {
    const bus = await fixture.open();
    const { store } = fixture.journal;
    await publishPages(
      bus,
      Array.from({ length: 450 }, (_, number) => number),
    );
    store.run(`INSERT INTO dead_letter (queue, priority, attempts, reason, died_at, body)
               SELECT queue, priority, 1, 'no', 0, body FROM queued`);
    // Simulates a consumer in another process.
    store.db.exec(`CREATE TRIGGER dies_again AFTER INSERT ON queued WHEN NEW.seq < 5000 BEGIN
                     INSERT INTO dead_letter (queue, priority, attempts, reason, died_at, body)
                     VALUES (NEW.queue, 0, 1, 'no', 0, NEW.body);
                   END`);
    expect(await (await fixture.deadLetters()).requeue()).toBe(450);
  });

  it('delivers messages later when their first read fails', async () => {
    const bus = await fixture.open();
    const unreadable = (): never => {
      throw new AppError('unavailable', 'The disk is away');
    };
    const newOnes = jest.spyOn(fixture.journal, 'queuedAfter').mockImplementationOnce(unreadable);
    const oldOnes = jest.spyOn(fixture.journal, 'queuedAt').mockImplementationOnce(unreadable);
    const seen = new Recorder<number>();
    await bus.consume(
      pageConsumer((number) => {
        seen.add(number);
        if (seen.items.length === 1) throw new Error('not yet');
      }),
    );
    await publishPage(bus, 1);
    expect(await seen.waitForCount(2)).toEqual([1, 1]);
    expect(newOnes).toHaveBeenCalled();
    expect(oldOnes).toHaveBeenCalledTimes(2);
  });

  it('calls onReset when a position has expired or retention overtakes the reader', async () => {
    const bus = await fixture.open();
    await publishFact(bus, 1);
    const position = await bus.logEnd();
    for (const number of [2, 3, 4, 5]) await publishFact(bus, number);
    fixture.journal.store.run('DELETE FROM fact WHERE log_offset <= 2');
    const seen = new Recorder<string>();
    await bus.readLog({
      from: position,
      onEntry: ({ message }) => {
        seen.add(`fact ${factNumberOf(message)}`);
        // The reader already has facts 4 and 5, the rest of its page. Retention overtakes it after them.
        if (factNumberOf(message) !== 5) return;
        fixture.journal.store.transaction(() => {
          fixture.journal.add({ queues: [], isFact: true, priority: 0, expiresAt: null, body: 'dropped' }, 0);
          fixture.journal.add({ queues: [], isFact: true, priority: 0, expiresAt: null, body: 'no JSON' }, 0);
          fixture.journal.store.run('DELETE FROM fact WHERE log_offset <= 6');
        });
      },
      onReset: () => seen.add('reset'),
      onFault: (error) => {
        throw error;
      },
    });
    await seen.waitForCount(4);
    await publishFact(bus, 8);
    expect(await seen.waitForCount(6)).toEqual(['reset', 'fact 3', 'fact 4', 'fact 5', 'reset', 'fact 8']);
  });

  it('calls onCaughtUp although the newest fact is unreadable', async () => {
    const bus = await fixture.open();
    await publishFact(bus, 1);
    fixture.journal.add({ queues: [], isFact: true, priority: 0, expiresAt: null, body: 'no JSON' }, 0);
    const seen = new Recorder<string>();
    await bus.readLog({
      from: 'start',
      onEntry: ({ message }) => seen.add(`fact ${factNumberOf(message)}`),
      onCaughtUp: () => seen.add('end'),
      onFault: (error) => {
        throw error;
      },
    });
    expect(await seen.waitForCount(2)).toEqual(['fact 1', 'end']);
  });
});
