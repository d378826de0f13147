import { BOARDS_PER_TITLE_MAX, DAY_SECONDS, TITLES_MAX } from '@lobbystats/contracts';
import type { CollectorStore } from '../src/collector-store.ts';
import { NOW, twoReplicas, type OpenReplicas } from './two-replicas.contract.ts';

const SLOT = NOW / 1000;

/** Contract of what every store forgets once the network no longer has it, and of the limits of what it may have. */
export function forgettingContract(openTwo: OpenReplicas): void {
  const replicas = twoReplicas(openTwo);
  let store: CollectorStore;
  let other: CollectorStore;
  beforeEach(() => {
    ({ store, other } = replicas);
  });

  describe('forgetting what the network no longer has', () => {
    const PAGE = 'http://network.example/games/4d530064';
    const OLD = { seenAt: SLOT - 40 * DAY_SECONDS, since: null };

    it('keeps the first time of a title and moves the last', async () => {
      await store.titles.recordSeen(['4d530064', '41560023'], { seenAt: SLOT, since: SLOT });
      await other.titles.recordSeen(['4d530064'], { seenAt: SLOT + 300, since: SLOT + 300 });
      expect(await store.titles.get('4d530064')).toMatchObject({ since: SLOT, seenAt: SLOT + 300 });
      expect(await store.titles.get('41560023')).toMatchObject({ since: SLOT, seenAt: SLOT });
    });

    it('shows all titles of a homepage or none to a reader meanwhile', async () => {
      const titleIds = Array.from({ length: TITLES_MAX }, (_, index) => index.toString(16).padStart(8, '0'));
      const state = { isRecorded: false };
      const recording = store.titles.recordSeen(titleIds, { seenAt: SLOT, since: null }).then(() => {
        state.isRecorded = true;
      });
      const seen = new Set<number>();
      while (!state.isRecorded) seen.add((await other.titles.all()).size);
      await recording;
      expect([...seen].filter((size) => size !== 0 && size !== TITLES_MAX)).toEqual([]);
      expect((await other.titles.all()).size).toBe(TITLES_MAX);
    });

    it('forgets unseen titles with the readings of their leaderboards, and no others', async () => {
      await store.titles.recordSeen(['4d530064'], OLD);
      await store.titles.recordSeen(['41560023'], { seenAt: SLOT, since: null });
      await store.titles.recordHomes(new Map([['54540001', { digest: 'without a time', image: '' }]]));
      for (const titleId of ['4d530064', '41560023'])
        await store.boards.updateListing(titleId, [{ id: 7, name: 'Pier' }]);
      await other.titles.forgetUnseen(SLOT - 30 * DAY_SECONDS);
      expect([...(await store.titles.all()).keys()].sort()).toEqual(['41560023', '54540001']);
      expect(await store.boards.get({ titleId: '4d530064', leaderboardId: 7 })).toBeUndefined();
      expect(await store.boards.get({ titleId: '41560023', leaderboardId: 7 })).toBeDefined();
    });

    it('forgets titles that are named, with the readings of their leaderboards', async () => {
      await store.titles.recordSeen(['4d530064', '41560023'], { seenAt: SLOT, since: SLOT });
      await store.boards.updateListing('4d530064', [{ id: 7, name: 'Pier' }]);
      await other.titles.forget(['4d530064', 'ffffffff']);
      expect([...(await store.titles.all()).keys()]).toEqual(['41560023']);
      expect(await store.boards.get({ titleId: '4d530064', leaderboardId: 7 })).toBeUndefined();
    });

    it('forgets boards that were never published, or as gone long ago, once they are not listed', async () => {
      const board = (leaderboardId: number) => ({ titleId: '4d530064', leaderboardId });
      const ids = [1, 2, 3, 4];
      await store.boards.updateListing(
        '4d530064',
        ids.map((id) => ({ id, name: `Board ${id}` })),
      );
      const publish = async (id: number, pass: number, digest: string | null) => {
        await store.boards.beginPublishing(board(id), { pass, digest }, NOW);
        await store.boards.markPublished(board(id), { pass, digest }, []);
      };
      await publish(2, 3600, null);
      await publish(3, 3600, 'd');
      await store.boards.updateListing('4d530064', [{ id: 4, name: 'Board 4' }]);
      await publish(2, 7200, null);
      await other.boards.forgetGone(7200);
      expect(await store.boards.get(board(1))).toBeUndefined();
      for (const id of [2, 3, 4]) expect(await store.boards.get(board(id))).toBeDefined();
      await other.boards.forgetGone(7201);
      expect(await store.boards.get(board(2))).toBeUndefined();
      expect(await store.boards.get(board(3))).toBeDefined();
    });

    it('takes new boards of a title up to the limit', async () => {
      const boards = Array.from({ length: BOARDS_PER_TITLE_MAX + 5 }, (_, id) => ({ id: id + 1, name: 'Pier' }));
      const isKnown = (leaderboardId: number) => store.boards.get({ titleId: '4d530064', leaderboardId });
      await store.boards.updateListing('4d530064', boards);
      expect(await isKnown(BOARDS_PER_TITLE_MAX)).toBeDefined();
      expect(await isKnown(BOARDS_PER_TITLE_MAX + 1)).toBeUndefined();
      await other.boards.updateListing('4d530064', [{ id: 9_000_000, name: 'One more' }]);
      expect(await isKnown(9_000_000)).toBeUndefined();
    });

    it('forgets pages that were last stored long ago', async () => {
      await store.pages.put(PAGE, { etag: null, lastModified: null, reading: '{}' }, NOW);
      await other.pages.deleteStoredBefore(NOW);
      expect(await store.pages.get(PAGE)).toBeDefined();
      await other.pages.deleteStoredBefore(NOW + 1);
      expect(await store.pages.get(PAGE)).toBeUndefined();
    });
  });
}
