import { twoReplicas, type OpenReplicas } from './two-replicas.contract.ts';

/** Contract of PlayerBackfillStore for every store. */
export function playerBackfillStoreContract(openTwo: OpenReplicas): void {
  const replicas = twoReplicas(openTwo);

  describe('PlayerBackfillStore', () => {
    const range = { from: 1_799_996_400, to: 1_800_000_000 };

    it('keeps the first range of a backfill and ignores steps from an old cursor', async () => {
      const { store, other } = replicas;
      expect(await store.playerBackfill.state()).toBeUndefined();
      const state = { ...range, cursor: null, isDone: false };
      expect(await store.playerBackfill.begin(range)).toEqual(state);
      expect(await other.playerBackfill.begin({ from: 0, to: 300 })).toEqual(state);
      await store.playerBackfill.advance(null, 'c1');
      // Another replica has done this step already.
      await other.playerBackfill.advance(null, 'c0');
      expect(await other.playerBackfill.state()).toEqual({ ...state, cursor: 'c1' });
      await store.playerBackfill.advance('c1', null);
      await other.playerBackfill.advance(null, 'c9');
      expect(await other.playerBackfill.begin(range)).toEqual({ ...range, cursor: null, isDone: true });
    });
  });
}
