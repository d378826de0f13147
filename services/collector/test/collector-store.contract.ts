import type { CollectorStore } from '../src/domain/collector-store.ts';
import type { SlotHome, SlotObservation } from '../src/domain/slot-observation.ts';
import type { TitleMemo } from '../src/domain/title-memory.ts';
import { itIsWorkedOnByOne, lease, NOW, twoReplicas, type OpenTwo } from './two-replicas.contract.ts';

const SLOT = NOW / 1000;
const DEADLINE = NOW + 120_000;

const ada = lease('ada');
const bob = lease('bob');

const home: SlotHome = {
  registered: null,
  online: 7,
  titles: [
    { titleId: '4d530064', online: 5, activity: { sessions: 1, players: 2 } },
    { titleId: '41560023', online: 2, activity: null },
    { titleId: '4d530065', online: 0, activity: { sessions: 0, players: 0 } },
  ],
};
const awaited = ['4d530064', '41560023'];
const match = { host: '__proto__', players: 2, maxPlayers: 8 };
const observation: SlotObservation = { slot: '2027-01-15T08:00:00Z', registered: null, online: 7, titles: [] };
const range = { fromSlot: SLOT - 86_400, toSlot: SLOT, fromDay: SLOT - 864_000, toDay: SLOT };

/** What every store of the collector promises of slots, pages, titles and their past. */
export function collectorStoreContract(openTwo: OpenTwo): void {
  const replicas = twoReplicas(openTwo);
  let store: CollectorStore;
  let other: CollectorStore;
  beforeEach(() => {
    ({ store, other } = replicas);
  });

  describe('slots', () => {
    it('are opened once, by one replica', async () => {
      const opened = await Promise.all([store, other].map(({ slots }) => slots.open(SLOT, DEADLINE, ada)));
      expect(opened.filter((isMine) => isMine)).toHaveLength(1);
      expect(await other.slots.unsettled()).toEqual([{ slot: SLOT, state: 'open', deadlineMs: DEADLINE }]);
    });

    it('are nowhere before they are opened', async () => {
      expect(await store.slots.take(SLOT, ada)).toBe(false);
      expect(await store.slots.putHome(SLOT, home, awaited)).toBe(false);
      expect(await store.slots.putMatches(SLOT, '4d530064', [])).toBeUndefined();
      expect(await store.slots.finish(SLOT, observation, ada)).toBe(false);
      expect(await store.slots.miss(SLOT)).toBe(false);
      await store.slots.published(SLOT);
      expect(await store.slots.state(SLOT)).toBeUndefined();
      expect(await store.slots.content(SLOT)).toBeUndefined();
      expect(await store.slots.finished(SLOT)).toBeUndefined();
      expect(await store.slots.awaited(SLOT)).toEqual([]);
      expect(await store.slots.unsettled()).toEqual([]);
      expect(await store.slots.latestFinished()).toBeUndefined();
    });

    it('are taken by their holder again, and by another one when the lease is over', async () => {
      await store.slots.open(SLOT, DEADLINE, ada);
      expect(await other.slots.take(SLOT, bob)).toBe(false);
      expect(await store.slots.take(SLOT, lease('ada', NOW + 10_000))).toBe(true);
      expect(await other.slots.take(SLOT, lease('bob', NOW + 24_999))).toBe(false);
      expect(await other.slots.take(SLOT, lease('bob', NOW + 25_000))).toBe(true);
      expect(await store.slots.take(SLOT, lease('ada', NOW + 25_001))).toBe(false);
    });

    it('keep the first homepage, and wait for its titles', async () => {
      await store.slots.open(SLOT, DEADLINE, ada);
      expect(await store.slots.content(SLOT)).toBeUndefined();
      expect(await store.slots.putHome(SLOT, home, awaited)).toBe(true);
      expect(await other.slots.putHome(SLOT, { ...home, online: 8 }, ['4d530065'])).toBe(false);
      expect(await other.slots.content(SLOT)).toEqual({ home, matches: new Map() });
      expect((await other.slots.awaited(SLOT)).sort()).toEqual([...awaited].sort());
      expect(await other.slots.awaitedUntil(SLOT, '4d530064')).toBe(DEADLINE);
      expect(await other.slots.awaitedUntil(SLOT, '4d530065')).toBeUndefined();
    });

    it('keep the first matches of a title, and say how many titles are left', async () => {
      await store.slots.open(SLOT, DEADLINE, ada);
      await store.slots.putHome(SLOT, home, awaited);
      expect(await store.slots.putMatches(SLOT, '4d530064', [match])).toBe(1);
      expect(await other.slots.putMatches(SLOT, '4d530064', [])).toBeUndefined();
      expect(await other.slots.putMatches(SLOT, '4d530065', [])).toBeUndefined();
      expect(await other.slots.awaitedUntil(SLOT, '4d530064')).toBeUndefined();
      expect(await other.slots.putMatches(SLOT, '41560023', [])).toBe(0);
      const matches = new Map<string, unknown[]>([
        ['4d530064', [match]],
        ['41560023', []],
      ]);
      expect(await store.slots.content(SLOT)).toEqual({ home, matches });
    });

    it('tell one replica that it had the last title, when two had one each at the same time', async () => {
      await store.slots.open(SLOT, DEADLINE, ada);
      await store.slots.putHome(SLOT, home, awaited);
      const left = await Promise.all([
        store.slots.putMatches(SLOT, '4d530064', []),
        other.slots.putMatches(SLOT, '41560023', []),
      ]);
      expect(left.sort()).toEqual([0, 1]);
    });

    it('are finished once: what they say stands, and the lease is the finisher’s', async () => {
      await store.slots.open(SLOT, DEADLINE, ada);
      await store.slots.putHome(SLOT, home, awaited);
      expect(await other.slots.finish(SLOT, observation, bob)).toBe(true);
      expect(await store.slots.finish(SLOT, { ...observation, online: 8 }, ada)).toBe(false);
      expect(await store.slots.putMatches(SLOT, '4d530064', [match])).toBeUndefined();
      expect(await store.slots.awaited(SLOT)).toEqual([]);
      expect(await store.slots.miss(SLOT)).toBe(false);
      expect(await store.slots.take(SLOT, ada)).toBe(false);
      expect(await store.slots.finished(SLOT)).toEqual(observation);
      expect(await store.slots.unsettled()).toMatchObject([{ slot: SLOT, state: 'finished' }]);
    });

    it('are settled when they are published, and never opened again', async () => {
      await store.slots.open(SLOT, DEADLINE, ada);
      await store.slots.published(SLOT);
      expect(await store.slots.state(SLOT)).toBe('open');
      await store.slots.finish(SLOT, observation, ada);
      await other.slots.published(SLOT);
      expect(await store.slots.state(SLOT)).toBe('published');
      expect(await store.slots.unsettled()).toEqual([]);
      expect(await store.slots.open(SLOT, DEADLINE, ada)).toBe(false);
      expect(await store.slots.take(SLOT, lease('bob', NOW + 60_000))).toBe(false);
    });

    it('are missed only without a homepage', async () => {
      await store.slots.open(SLOT, DEADLINE, ada);
      await store.slots.open(SLOT + 300, DEADLINE, ada);
      await store.slots.putHome(SLOT, home, []);
      expect(await store.slots.miss(SLOT)).toBe(false);
      expect(await store.slots.miss(SLOT + 300)).toBe(true);
      expect(await other.slots.miss(SLOT + 300)).toBe(false);
      expect(await other.slots.state(SLOT + 300)).toBe('missed');
    });

    it('tell the latest that was finished, whatever was opened later', async () => {
      for (const slot of [SLOT, SLOT + 300, SLOT + 600]) await store.slots.open(slot, DEADLINE, ada);
      await store.slots.miss(SLOT + 600);
      expect(await other.slots.latestFinished()).toBeUndefined();
      await store.slots.finish(SLOT, observation, ada);
      expect(await other.slots.latestFinished()).toBe(SLOT);
      await store.slots.published(SLOT);
      expect(await other.slots.latestFinished()).toBe(SLOT);
    });

    it('are forgotten when they are settled and old', async () => {
      for (const slot of [SLOT, SLOT + 300, SLOT + 600]) await store.slots.open(slot, DEADLINE, ada);
      await store.slots.miss(SLOT);
      await store.slots.miss(SLOT + 600);
      await store.slots.forget(SLOT + 600);
      const states = await Promise.all([SLOT, SLOT + 300, SLOT + 600].map((slot) => other.slots.state(slot)));
      expect(states).toEqual([undefined, 'open', 'missed']);
    });
  });

  describe('pages', () => {
    const URL = 'http://network.example/games/4d530064';

    it('are claimed by one replica until it gives them back or its time is over', async () => {
      expect(await store.pages.claim(URL, ada)).toBe(true);
      expect(await other.pages.claim(URL, bob)).toBe(false);
      await other.pages.release(URL, 'bob');
      expect(await other.pages.claim(URL, bob)).toBe(false);
      await store.pages.release(URL, 'ada');
      expect(await other.pages.claim(URL, bob)).toBe(true);
      expect(await store.pages.claim(URL, lease('ada', NOW + 15_000))).toBe(true);
    });

    it('are remembered by all, as they were last', async () => {
      const memo = { etag: '"1"', lastModified: null, reading: '{}' };
      expect(await store.pages.recall(URL)).toBeUndefined();
      await store.pages.claim(URL, ada);
      expect(await store.pages.recall(URL)).toBeUndefined();
      await store.pages.remember(URL, memo);
      await store.pages.remember(URL, { ...memo, etag: '"2"' });
      expect(await other.pages.recall(URL)).toEqual({ ...memo, etag: '"2"' });
      expect(await other.pages.claim(URL, bob)).toBe(false);
    });
  });

  describe('titles', () => {
    it('remember what was last said of their row and of their page, apart', async () => {
      expect(await store.titles.recall('4d530064')).toBeUndefined();
      await store.titles.saidHomes(
        new Map([
          ['4d530064', 'h1'],
          ['__proto__', 'h2'],
        ]),
      );
      await other.titles.saidPage('4d530064', 'p1', SLOT);
      await store.titles.saidPage('4d530064', null, SLOT + 300);
      await other.titles.saidPage('41560023', null, SLOT);
      const known = { home: 'h1', page: 'p1', pageSlot: SLOT + 300 };
      expect(await other.titles.recall('4d530064')).toEqual(known);
      expect(await store.titles.all()).toEqual(
        new Map<string, TitleMemo>([
          ['4d530064', known],
          ['__proto__', { home: 'h2', page: null, pageSlot: null }],
          ['41560023', { home: null, page: null, pageSlot: SLOT }],
        ]),
      );
    });
  });

  describe('the fill', () => {
    it('has one range, the first', async () => {
      expect(await store.fill.state()).toBeUndefined();
      const state = { ...range, doneFrom: SLOT, daysDone: false };
      expect(await store.fill.begin(range)).toEqual(state);
      expect(await other.fill.begin({ ...range, toSlot: SLOT + 300 })).toEqual(state);
    });

    it('only goes forward', async () => {
      await store.fill.begin(range);
      await store.fill.doneFrom(SLOT - 600);
      await other.fill.doneFrom(SLOT - 300);
      await other.fill.daysDone();
      expect(await store.fill.state()).toEqual({ ...range, doneFrom: SLOT - 600, daysDone: true });
    });

    itIsWorkedOnByOne(() => ({ mine: store.fill, others: other.fill, begin: () => store.fill.begin(range) }));
  });
}
