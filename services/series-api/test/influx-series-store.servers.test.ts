import { createTestBuckets, type TestBuckets } from '../testing/influx-buckets.ts';
import { describeSeriesStore } from './series-store.contract.ts';

const used: TestBuckets[] = [];
afterAll(async () => {
  for (const buckets of used) await buckets.remove();
});

describeSeriesStore('InfluxDB', async () => {
  const fresh = await createTestBuckets();
  used.push(fresh);
  return fresh.open();
});
