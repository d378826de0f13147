import { itIsWorkedOnByOne, twoReplicas, type OpenTwo } from './two-replicas.contract.ts';

/** What every store of the collector promises of the players' past. */
export function playerFillStoreContract(openTwo: OpenTwo): void {
  const replicas = twoReplicas(openTwo);

  describe('the players’ past', () => {
    const range = { from: 1_799_996_400, to: 1_800_000_000 };

    it('has one range, the first, and goes forward step by step', async () => {
      const { store, other } = replicas;
      expect(await store.playerFill.state()).toBeUndefined();
      const state = { ...range, cursor: null, isDone: false };
      expect(await store.playerFill.begin(range)).toEqual(state);
      expect(await other.playerFill.begin({ from: 0, to: 300 })).toEqual(state);
      await store.playerFill.advance(null, 'c1');
      // A step that another one has done already.
      await other.playerFill.advance(null, 'c0');
      expect(await other.playerFill.state()).toEqual({ ...state, cursor: 'c1' });
      await store.playerFill.advance('c1', null);
      await other.playerFill.advance(null, 'c9');
      expect(await other.playerFill.begin(range)).toEqual({ ...range, cursor: null, isDone: true });
    });

    itIsWorkedOnByOne(() => ({
      mine: replicas.store.playerFill,
      others: replicas.other.playerFill,
      begin: () => replicas.store.playerFill.begin(range),
    }));
  });
}
