import { createTestBuckets, type TestBuckets } from '../testing/influx-buckets.ts';
import { describeSeriesStore } from './series-store.contract.ts';
import { describeWithdrawal } from './series-store-withdrawal.contract.ts';

const used: TestBuckets[] = [];
afterAll(async () => {
  for (const buckets of used) await buckets.remove();
});

async function open() {
  const fresh = await createTestBuckets();
  used.push(fresh);
  return fresh.open();
}

describeSeriesStore('InfluxDB', open);
describeWithdrawal('InfluxDB', { numRuns: 10, create: open });
