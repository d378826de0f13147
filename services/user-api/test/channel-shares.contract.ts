import type { Candidate, ChannelStore, Shares } from '../src/channels/channel-store.ts';
import { FairShares } from '../src/channels/fair-shares.ts';
import type { UserDatabase } from '../src/user-database.ts';
import { channel } from './channel-records.ts';
import { put, SLOT, user } from './stored-records.ts';

/** Contract of every {@link ChannelStore}: who may have channels, and whose turn is next. */
export function describeChannelShares(adapter: string, open: () => Promise<UserDatabase>): void {
  describe(`shares of channels in ${adapter}`, () => {
    let database: UserDatabase;
    let store: ChannelStore;
    beforeEach(async () => {
      database = await open();
      store = database.channels;
      await put(database, { users: ['a', 'b'].map((key) => user(key)) });
    });
    afterEach(async () => {
      await database.close();
    });

    const claim = (now: number, lease: string, limit = 20, shares: Shares = new FairShares()) =>
      store.claimTurns({ now, lease, leasedUntil: now + 30, limit, shares });
    const claimed = async (now: number, lease: string, limit?: number) =>
      (await claim(now, lease, limit)).map(({ channel: { id }, deliveries }) => [
        id,
        deliveries.map(({ messageId }) => messageId),
      ]);
    const add = (channelId: string, messageId: string, dueAt = SLOT) =>
      store.putDelivery(channelId, { messageId, type: 'test', dueAt });

    it('refuses more channels of a user who has a stopped one, until it is removed', async () => {
      await store.putChannel(channel('a', { state: 'stopped' }), 10);
      for (const name of ['phone', 'other']) {
        expect(await store.putChannel(channel('a', { name, id: 'new' }), 10)).toBe('stopped');
      }
      expect(await store.putChannel(channel('b'), 10)).toBe('written');
      await store.removeChannel('a', 'phone');
      expect(await store.putChannel(channel('a'), 10)).toBe('written');
    });

    it('serves accounts before others that had a turn later, however long those wait, and within their shares', async () => {
      const names = ['1', '2', '3', '4', '5', '6'];
      for (const name of names) {
        await store.putChannel(channel('a', { name }), 10);
        await add(`a ${name}`, 'one');
      }
      await store.putChannel(channel('b'), 10);
      expect((await claimed(SLOT, 'first')).map(([id]) => id)).toHaveLength(4);
      await add('b phone', 'new', SLOT + 5);
      expect(await claimed(SLOT + 5, 'second', 1)).toEqual([['b phone', ['new']]]);
      expect(await claimed(SLOT + 5, 'third')).toHaveLength(2);
      const shares = { userKeys: ['b'], receivers: [], pick: (some: readonly Candidate[]) => [...some] };
      const turns = await claim(SLOT + 60, 'fourth', 20, shares);
      expect(new Set(turns.map(({ channel: { userKey } }) => userKey))).toEqual(new Set(['a']));
      const others = { ...shares, userKeys: [], receivers: ['host'] };
      expect(await claim(SLOT + 120, 'fifth', 20, others)).toEqual([]);
    });
  });
}
