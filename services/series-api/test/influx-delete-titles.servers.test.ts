import { testServers } from '@lobbystats/test-kit';
import { deleteTitles } from '../src/database/series-admin.influx.ts';
import { createTestBuckets } from '../testing/influx-buckets.ts';
import { commitSlots } from './commit-slots.ts';
import { HARBOR, NOW } from './observations.ts';

const OTHER = 'bad00001';

describe('deletion of titles from InfluxDB', () => {
  it('removes all of their points, and those of no other title', async () => {
    const test = await createTestBuckets();
    const store = await test.open();
    const titles = { [HARBOR]: { matches: { Ada: 1 } }, [OTHER]: { matches: { Bob: 2 } } };
    await commitSlots(store, [[NOW, { titles }]]);
    await store.putTitleNames(5, [
      { titleId: HARBOR, name: 'Harbor' },
      { titleId: OTHER, name: 'Other' },
    ]);
    const idsIn = async () => (await store.titlesIn(NOW)).map(({ titleId }) => titleId);
    expect((await idsIn()).sort()).toEqual([HARBOR, OTHER].sort());
    const { url, token, org } = testServers().influxdb;
    await deleteTitles({ url, token, org }, [OTHER], test.buckets);
    expect(await idsIn()).toEqual([HARBOR]);
    expect([...(await store.titleNames()).keys()]).toEqual([HARBOR]);
    expect(await store.title(OTHER)).toBeNull();
    expect((await store.titleOnline(OTHER, { after: 0, until: NOW })).length).toBe(0);
    await store.close();
    await test.remove();
  });
});
