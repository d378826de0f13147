import { InfluxDB } from '@influxdata/influxdb-client';
import { testServers } from '@lobbystats/test-kit';
import { createTestBuckets } from '../testing/influx-buckets.ts';
import { commitSlots } from './commit-slots.ts';
import { DAY, HARBOR, NOW, SLOT } from './observations.ts';

describe('hostings in InfluxDB', () => {
  it('contain the matches that an older release has stored, from the first commit on', async () => {
    const test = await createTestBuckets();
    const store = await test.open();
    const { url, org } = testServers().influxdb;
    const client = new InfluxDB({ url, token: test.token });
    const write = async (bucket: string, line: string) => {
      const api = client.getWriteApi(org, bucket, 's');
      api.writeRecord(line);
      await api.close();
    };
    const older = (endedAt: number) =>
      `match_run,titleId=${HARBOR} host="Ada",endedAt=${endedAt}i,players=1i,maxPlayers=8i,peakPlayers=1i`;
    await write(test.buckets.snapshots, `${older(NOW)} ${NOW - SLOT}`);
    await write(test.buckets.snapshots, `${older(NOW - 3 * DAY + SLOT)} ${NOW - 3 * DAY}`);
    await write(test.buckets.daily, 'store_identity hostRuns=false 0');
    const ofAda = () => store.hostings('ada', { after: 0, until: NOW });
    expect(await ofAda()).toEqual([]);
    await commitSlots(store, [[NOW, { titles: { [HARBOR]: { matches: { Bob: 1 } } } }]]);
    expect(await ofAda()).toEqual([
      { host: 'Ada', matches: 1, startedAt: NOW - 3 * DAY, endedAt: NOW - 3 * DAY + SLOT },
      { host: 'Ada', matches: 1, startedAt: NOW - SLOT, endedAt: NOW },
    ]);
    await store.close();
    await test.remove();
  });
});
