import type { CollectorStore } from '../src/collector-store.ts';
import type { SlotHome, SlotObservation } from '../src/network/slot-observation.ts';
import type { AnnouncedTitle } from '../src/titles/announced-titles.ts';
import { NOW, twoReplicas, type OpenReplicas } from './two-replicas.contract.ts';

const SLOT = NOW / 1000;
const DEADLINE = NOW + 120_000;

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

/** Contract of SlotStore, PageCache, KeptPages, AnnouncedTitles and BackfillStore for every store. */
export function collectorStoreContract(openTwo: OpenReplicas): void {
  const replicas = twoReplicas(openTwo);
  let store: CollectorStore;
  let other: CollectorStore;
  beforeEach(() => {
    ({ store, other } = replicas);
  });

  describe('WithdrawalStore', () => {
    it('has what was added until it is removed', async () => {
      const slots = {
        withdrawnAt: observation.slot,
        slots: { from: observation.slot, to: observation.slot },
        titleIds: [],
      };
      const titles = { withdrawnAt: observation.slot, slots: null, titleIds: awaited };
      expect(await store.withdrawals.pending()).toEqual(new Map());
      await store.withdrawals.add(slots);
      const [[id = ''] = []] = await other.withdrawals.pending();
      await other.withdrawals.add(titles);
      expect([...(await store.withdrawals.pending()).values()]).toEqual(expect.arrayContaining([slots, titles]));
      await store.withdrawals.remove(id);
      await other.withdrawals.remove(id);
      expect([...(await store.withdrawals.pending()).values()]).toEqual([titles]);
    });
  });

  describe('SlotStore', () => {
    it('opens a slot once when two leaders open it', async () => {
      const opened = await Promise.all([store, other].map(({ slots }) => slots.open(SLOT, DEADLINE)));
      expect(opened.filter((hasOpened) => hasOpened)).toHaveLength(1);
      expect(await other.slots.unsettled()).toEqual([{ slot: SLOT, state: 'open', deadlineMs: DEADLINE }]);
    });

    it('ignores every step of a slot that was not opened', async () => {
      expect(await store.slots.putHome(SLOT, home, awaited)).toBe(false);
      expect(await store.slots.putMatches(SLOT, '4d530064', [])).toBeUndefined();
      expect(await store.slots.finish(SLOT, observation)).toBe(false);
      expect(await store.slots.markMissed(SLOT)).toBe(false);
      await store.slots.markPublished(SLOT);
      expect(await store.slots.state(SLOT)).toBeUndefined();
      expect(await store.slots.content(SLOT)).toBeUndefined();
      expect(await store.slots.finishedObservation(SLOT)).toBeUndefined();
      expect(await store.slots.awaitedTitles(SLOT)).toEqual([]);
      expect(await store.slots.unsettled()).toEqual([]);
      expect(await store.slots.latestFinished()).toBeUndefined();
    });

    it('stores the first homepage of a slot and awaits its titles', async () => {
      await store.slots.open(SLOT, DEADLINE);
      expect(await store.slots.content(SLOT)).toBeUndefined();
      expect(await store.slots.putHome(SLOT, home, awaited)).toBe(true);
      expect(await other.slots.putHome(SLOT, { ...home, online: 8 }, ['4d530065'])).toBe(false);
      expect(await other.slots.content(SLOT)).toEqual({ home, matches: new Map() });
      expect((await other.slots.awaitedTitles(SLOT)).sort()).toEqual([...awaited].sort());
      expect(await other.slots.titleDeadlineMs(SLOT, '4d530064')).toBe(DEADLINE);
      expect(await other.slots.titleDeadlineMs(SLOT, '4d530065')).toBeUndefined();
    });

    it('stores the first matches of a title and tells when it was the last one', async () => {
      await store.slots.open(SLOT, DEADLINE);
      await store.slots.putHome(SLOT, home, awaited);
      expect(await store.slots.putMatches(SLOT, '4d530064', [match])).toBe('more');
      expect(await other.slots.putMatches(SLOT, '4d530064', [])).toBeUndefined();
      expect(await other.slots.putMatches(SLOT, '4d530065', [])).toBeUndefined();
      expect(await other.slots.titleDeadlineMs(SLOT, '4d530064')).toBeUndefined();
      expect(await other.slots.putMatches(SLOT, '41560023', [])).toBe('last');
      const matches = new Map<string, unknown[]>([
        ['4d530064', [match]],
        ['41560023', []],
      ]);
      expect(await store.slots.content(SLOT)).toEqual({ home, matches });
    });

    it('tells that no title is left when the last ones are stored at once', async () => {
      await store.slots.open(SLOT, DEADLINE);
      await store.slots.putHome(SLOT, home, awaited);
      const left = await Promise.all([
        store.slots.putMatches(SLOT, '4d530064', []),
        other.slots.putMatches(SLOT, '41560023', []),
      ]);
      expect(left).toContain('last');
    });

    it('finishes a slot once and freezes its observation', async () => {
      await store.slots.open(SLOT, DEADLINE);
      await store.slots.putHome(SLOT, home, awaited);
      expect(await other.slots.finish(SLOT, observation)).toBe(true);
      expect(await store.slots.finish(SLOT, { ...observation, online: 8 })).toBe(false);
      expect(await store.slots.putMatches(SLOT, '4d530064', [match])).toBeUndefined();
      expect(await store.slots.awaitedTitles(SLOT)).toEqual([]);
      expect(await store.slots.markMissed(SLOT)).toBe(false);
      expect(await store.slots.finishedObservation(SLOT)).toEqual(observation);
      expect(await store.slots.unsettled()).toMatchObject([{ slot: SLOT, state: 'finished' }]);
    });

    it('settles a published slot and never opens it again', async () => {
      await store.slots.open(SLOT, DEADLINE);
      await store.slots.markPublished(SLOT);
      expect(await store.slots.state(SLOT)).toBe('open');
      await store.slots.finish(SLOT, observation);
      await other.slots.markPublished(SLOT);
      expect(await store.slots.state(SLOT)).toBe('published');
      expect(await store.slots.unsettled()).toEqual([]);
      expect(await store.slots.open(SLOT, DEADLINE)).toBe(false);
    });

    it('marks a slot as missed only when it has no homepage', async () => {
      await store.slots.open(SLOT, DEADLINE);
      await store.slots.open(SLOT + 300, DEADLINE);
      await store.slots.putHome(SLOT, home, []);
      expect(await store.slots.markMissed(SLOT)).toBe(false);
      expect(await store.slots.markMissed(SLOT + 300)).toBe(true);
      expect(await other.slots.markMissed(SLOT + 300)).toBe(false);
      expect(await other.slots.state(SLOT + 300)).toBe('missed');
    });

    it('returns the latest finished slot regardless of later open slots', async () => {
      for (const slot of [SLOT, SLOT + 300, SLOT + 600]) await store.slots.open(slot, DEADLINE);
      await store.slots.markMissed(SLOT + 600);
      expect(await other.slots.latestFinished()).toBeUndefined();
      await store.slots.finish(SLOT, observation);
      expect(await other.slots.latestFinished()).toBe(SLOT);
      await store.slots.markPublished(SLOT);
      expect(await other.slots.latestFinished()).toBe(SLOT);
    });

    it('deletes old slots only when they are settled', async () => {
      for (const slot of [SLOT, SLOT + 300, SLOT + 600]) await store.slots.open(slot, DEADLINE);
      await store.slots.markMissed(SLOT);
      await store.slots.markMissed(SLOT + 600);
      await store.slots.deleteBefore(SLOT + 600);
      const states = await Promise.all([SLOT, SLOT + 300, SLOT + 600].map((slot) => other.slots.state(slot)));
      expect(states).toEqual([undefined, 'open', 'missed']);
    });
  });

  describe('PageCache', () => {
    const URL = 'http://network.example/games/4d530064';

    it('keeps the latest cached page for the next leader', async () => {
      const memo = { etag: '"1"', lastModified: null, reading: '{}' };
      expect(await store.pages.get(URL)).toBeUndefined();
      await store.pages.put(URL, memo, NOW);
      await store.pages.put(URL, { ...memo, etag: '"2"' }, NOW);
      expect(await other.pages.get(URL)).toEqual({ ...memo, etag: '"2"' });
    });
  });

  describe('KeptPages', () => {
    const page = (slot: number, titleId: string) => ({ slot, source: 'titles' as const, values: { titleId } });
    const namesOf = async (description: string) =>
      (await other.kept.due(description, SLOT + 900)).map(({ slot, values }) => [slot, values]);

    it('gives the pages of the oldest slot that another description refused', async () => {
      await store.kept.put(page(SLOT + 300, 'a'), Buffer.from('1'), 'old');
      await store.kept.put(page(SLOT, 'a'), Buffer.from('2'), 'old');
      await store.kept.put(page(SLOT, 'a'), Buffer.from([0, 255]), 'older');
      await store.kept.put(page(SLOT, 'b'), Buffer.from('3'), 'new');
      await store.kept.put(page(SLOT + 900, 'a'), Buffer.from('4'), 'old');
      expect(new Set(await namesOf('new'))).toEqual(
        new Set([
          [SLOT, { titleId: 'a' }],
          [SLOT, { titleId: 'b' }],
        ]),
      );
      expect(await other.kept.body(page(SLOT, 'a'))).toEqual(Buffer.from([0, 255]));
      await other.kept.deleteOthers(SLOT, 'new');
      expect(await store.kept.body(page(SLOT, 'a'))).toBeUndefined();
      expect(await store.kept.body(page(SLOT, 'b'))).toBeDefined();
      expect(await namesOf('new')).toEqual([[SLOT + 300, { titleId: 'a' }]]);
      await other.kept.deleteOthers(SLOT + 300, 'new');
      expect(await namesOf('new')).toEqual([]);
    });

    it('forgets the pages of withdrawn slots', async () => {
      for (const index of [0, 1, 2, 3]) await store.kept.put(page(SLOT + index, 'a'), Buffer.alloc(10), 'old');
      await other.kept.forget(SLOT, SLOT + 2);
      expect(await namesOf('new')).toEqual([[SLOT + 3, { titleId: 'a' }]]);
    });

    it('forgets the oldest slots that are too old or too large', async () => {
      for (const index of [0, 1, 2, 3]) await store.kept.put(page(SLOT + index, 'a'), Buffer.alloc(10), 'old');
      await other.kept.trim(SLOT + 1, 1000);
      expect(await namesOf('new')).toEqual([[SLOT + 1, { titleId: 'a' }]]);
      await store.kept.trim(0, 20);
      expect(await namesOf('new')).toEqual([[SLOT + 2, { titleId: 'a' }]]);
      await store.kept.trim(0, 9);
      expect(await namesOf('new')).toEqual([]);
    });
  });

  describe('AnnouncedTitles', () => {
    it('stores the published homepage digest and page digest of a title separately', async () => {
      expect(await store.titles.get('4d530064')).toBeUndefined();
      await store.titles.recordHomes(
        new Map([
          ['4d530064', { digest: 'h1', image: '' }],
          ['__proto__', { digest: 'h2', image: '' }],
        ]),
      );
      await other.titles.recordPage('4d530064', 'p1', SLOT);
      await store.titles.recordPage('4d530064', null, SLOT + 300);
      await other.titles.recordPage('41560023', null, SLOT);
      const unseen = { since: null, seenAt: null, image: '', iconAt: null };
      const known = { home: 'h1', page: 'p1', pageSlot: SLOT + 300, ...unseen };
      expect(await other.titles.get('4d530064')).toEqual(known);
      expect(await store.titles.all()).toEqual(
        new Map<string, AnnouncedTitle>([
          ['4d530064', known],
          ['__proto__', { home: 'h2', page: null, pageSlot: null, ...unseen }],
          ['41560023', { home: null, page: null, pageSlot: SLOT, ...unseen }],
        ]),
      );
    });

    it('keeps when an icon was read, until its URL changes', async () => {
      const record = (digest: string, image: string) =>
        store.titles.recordHomes(new Map([['4d530064', { digest, image }]]));
      const iconAt = async () => (await other.titles.get('4d530064'))?.iconAt;
      await record('$h1', '$icon.png');
      expect(await other.titles.get('4d530064')).toMatchObject({ home: '$h1', image: '$icon.png', iconAt: null });
      await other.titles.recordIcon('4d530064', SLOT);
      await other.titles.recordIcon('ffffffff', SLOT);
      await record('h2', '$icon.png');
      expect(await iconAt()).toBe(SLOT);
      await record('h3', 'https://network.example/other.png');
      expect(await iconAt()).toBeNull();
      expect(await other.titles.get('ffffffff')).toBeUndefined();
    });
  });

  describe('BackfillStore', () => {
    it('keeps the first range of a backfill', async () => {
      expect(await store.backfill.state()).toBeUndefined();
      const state = { ...range, doneFrom: SLOT, daysDone: false };
      expect(await store.backfill.begin(range)).toEqual(state);
      expect(await other.backfill.begin({ ...range, toSlot: SLOT + 300 })).toEqual(state);
    });

    it('never moves backfill progress backwards', async () => {
      await store.backfill.begin(range);
      await store.backfill.setDoneFrom(SLOT - 600);
      await other.backfill.setDoneFrom(SLOT - 300);
      await other.backfill.markDaysDone();
      expect(await store.backfill.state()).toEqual({ ...range, doneFrom: SLOT - 600, daysDone: true });
    });
  });
}
