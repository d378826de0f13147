import { eventStored, type AnnouncedEvent } from '@lobbystats/contracts';
import type { CatalogStore } from '../src/open-store.ts';
import type { EventCommit, StoredEvent } from '../src/events/events.queries.ts';
import { announced } from './events.ts';
import { unserializableFact } from './title-store.contract.ts';
import type { Fact } from '@lobbystats/contracts';

const NOTHING = { revision: 0, seenAt: 0, changedAt: 0, events: [] };

/** Contract tests of EventQueries. `open` returns an empty catalog each time. */
export function describeEventStore(
  adapter: string,
  open: () => Promise<Pick<CatalogStore, 'events' | 'outbox' | 'close'>>,
): void {
  describe(`${adapter} as an event store`, () => {
    let catalog: Awaited<ReturnType<typeof open>>;
    beforeEach(async () => {
      catalog = await open();
    });
    afterEach(async () => {
      await catalog.close();
    });

    const facts = async () => (await catalog.outbox.pending(10)).map(({ id }) => id);

    it('starts empty at revision 0', async () => {
      expect(await catalog.events.readEvents()).toEqual(NOTHING);
      expect(await catalog.events.eventRevision()).toBe(0);
    });

    it('reads back events exactly as committed', async () => {
      const events = [
        stored(0, { title: `'"; DROP TABLE event; --`, sponsor_name: '__proto__' }),
        { ...stored(1, { description: 'NUL \0 and 🏁 and %_\\ $where' }), endsAt: null, revisedAt: 6 },
        { ...stored(2_147_483_647, { entry_fee_sats: Number.MAX_SAFE_INTEGER }), startsAt: 253_402_300_740 },
      ];
      expect(await catalog.events.commitEvents(commit({ seenAt: 20, changedAt: 10, put: events }))).toBe(true);
      expect(await catalog.events.readEvents()).toEqual({ revision: 1, seenAt: 20, changedAt: 10, events });
      expect(await catalog.events.eventRevision()).toBe(1);
    });

    it('replaces and removes the given events only, and adds facts to the outbox', async () => {
      await catalog.events.commitEvents(commit({ put: [stored(1), stored(2), stored(3)], facts: [fact('first')] }));
      const second = commit({
        expectedRevision: 1,
        put: [stored(2, { title: 'After' })],
        removed: [1, 99],
        facts: [fact('second'), fact('third')],
      });
      expect(await catalog.events.commitEvents(second)).toBe(true);
      const { events, revision } = await catalog.events.readEvents();
      expect([revision, events]).toEqual([2, [stored(2, { title: 'After' }), stored(3)]]);
      expect(await facts()).toEqual(['first', 'second', 'third']);
    });

    it('finds a listed event by ID, and nothing for an unknown ID', async () => {
      await catalog.events.commitEvents(commit({ put: [stored(1), stored(2)] }));
      expect([await catalog.events.readEvent(2), await catalog.events.readEvent(3)]).toEqual([stored(2), undefined]);
    });

    it('finds an archived event only by ID, as it was last written', async () => {
      const last = { ...stored(1, { title: 'After' }), endsAt: null };
      await catalog.events.commitEvents(commit({ put: [stored(1), stored(2)] }));
      await catalog.events.commitEvents(commit({ expectedRevision: 1, archived: [last, stored(3)] }));
      expect((await catalog.events.readEvents()).events).toEqual([stored(2)]);
      const found = await Promise.all([1, 2, 3].map((id) => catalog.events.readEvent(id)));
      expect(found).toEqual([last, stored(2), stored(3)]);
    });

    it('lists an archived event again after a put, and deletes a removed one', async () => {
      await catalog.events.commitEvents(commit({ archived: [stored(1), stored(2)] }));
      const back = stored(1, { title: 'Again' });
      await catalog.events.commitEvents(commit({ expectedRevision: 1, put: [back], removed: [2] }));
      expect((await catalog.events.readEvents()).events).toEqual([back]);
      expect([await catalog.events.readEvent(1), await catalog.events.readEvent(2)]).toEqual([back, undefined]);
    });

    it('rejects a commit with a stale revision and writes nothing', async () => {
      await catalog.events.commitEvents(commit({ put: [stored(1)], facts: [fact('kept')] }));
      const stale = commit({
        put: [stored(2)],
        archived: [stored(3)],
        removed: [1],
        seenAt: 99,
        facts: [fact('stale')],
      });
      expect(await catalog.events.commitEvents(stale)).toBe(false);
      expect(await catalog.events.readEvents()).toMatchObject({ revision: 1, seenAt: 1, events: [stored(1)] });
      expect(await catalog.events.readEvent(3)).toBeUndefined();
      expect(await facts()).toEqual(['kept']);
    });

    it('rolls back the whole commit when one write fails', async () => {
      await catalog.events.commitEvents(commit({ facts: [fact('one')] }));
      const half = commit({ expectedRevision: 1, put: [stored(1)], facts: [fact('two'), unserializableFact] });
      await expect(catalog.events.commitEvents(half)).rejects.toThrow();
      expect(await catalog.events.readEvents()).toMatchObject({ revision: 1, events: [] });
      expect(await facts()).toEqual(['one']);
    });

    it('accepts exactly one of several concurrent commits', async () => {
      const results = await Promise.all(
        [1, 2, 3, 4].map((id) => catalog.events.commitEvents(commit({ put: [stored(id)], facts: [fact(String(id))] }))),
      );
      expect(results.filter(Boolean)).toHaveLength(1);
      const winner = results.indexOf(true) + 1;
      expect((await catalog.events.readEvents()).events).toEqual([stored(winner)]);
      expect(await facts()).toEqual([String(winner)]);
    });

    it('stores, removes and archives 2,000 events', async () => {
      const events = Array.from({ length: 2000 }, (_, id) => stored(id));
      await catalog.events.commitEvents(commit({ put: events }));
      const removed = events.slice(0, 999).map(({ event }) => event.id);
      await catalog.events.commitEvents(commit({ expectedRevision: 1, removed, archived: events.slice(999, 1999) }));
      expect((await catalog.events.readEvents()).events).toEqual([stored(1999)]);
      expect(await catalog.events.readEvent(1998)).toEqual(stored(1998));
    });
  });
}

/** A commit to an empty store with the given changes only. */
function commit(change: Partial<EventCommit>): EventCommit {
  return { expectedRevision: 0, seenAt: 1, changedAt: 1, put: [], archived: [], removed: [], facts: [], ...change };
}

function stored(id: number, fields: Partial<AnnouncedEvent> = {}): StoredEvent {
  return {
    event: announced({ id, ...fields }),
    startsAt: 1_800_000_000,
    endsAt: 1_800_009_000,
    changedAt: 7,
    revisedAt: 7,
  };
}

function fact(id: string): Fact {
  return { type: eventStored.key, id, occurredAt: 1, past: false, data: { events: [], withdrawn: [] } };
}
