import { testServers } from '@lobbystats/test-kit';
import { withdrawInfluxSlots } from '../src/admin.ts';
import { createTestBuckets, type TestBuckets } from '../testing/influx-buckets.ts';
import { commitSlots } from './commit-slots.ts';
import { HARBOR, NOW } from './observations.ts';
import { describeWithdrawal } from './withdraw-slots.contract.ts';

const used: TestBuckets[] = [];
afterAll(async () => {
  for (const buckets of used) await buckets.remove();
});

async function createSeries() {
  const test = await createTestBuckets();
  used.push(test);
  const { url, token, org } = testServers().influxdb;
  return { test, admin: { url, token, org } };
}

describeWithdrawal('InfluxDB', {
  numRuns: 8,
  create: async () => {
    const { test, admin } = await createSeries();
    return {
      open: () => test.open(),
      withdraw: (withdrawal) => withdrawInfluxSlots(admin, withdrawal, { isDryRun: false, buckets: test.buckets }),
    };
  },
});

describe('a dry run of a withdrawal from InfluxDB', () => {
  it('reports the same and changes nothing', async () => {
    const { test, admin } = await createSeries();
    const store = await test.open();
    await commitSlots(store, [[NOW, { titles: { [HARBOR]: { matches: { Ada: 1 } } } }]]);
    const withdrawal = { fromInclusive: NOW, toInclusive: NOW };
    const plan = await withdrawInfluxSlots(admin, withdrawal, { isDryRun: true, buckets: test.buckets });
    expect(plan).toMatchObject({ slots: 1, titleSnapshots: 1, matchSnapshots: 1 });
    expect(await store.titlesIn(NOW)).toHaveLength(1);
    await store.close();
    expect(await withdrawInfluxSlots(admin, withdrawal, { isDryRun: false, buckets: test.buckets })).toEqual(plan);
  });
});
