import { testServers } from '@lobbystats/test-kit';

/** Size of a bucket without its write-ahead log, in MB. */
export async function influxDiskMb(bucket: string): Promise<number> {
  const { url, token } = testServers().influxdb;
  const found = await fetch(`${url}/api/v2/buckets?name=${bucket}`, { headers: { authorization: `Token ${token}` } });
  const { buckets } = (await found.json()) as { buckets: { id: string }[] };
  const metrics = await (await fetch(`${url}/metrics`)).text();
  const shards = metrics.matchAll(
    new RegExp(`^storage_shard_disk_size\\{bucket="${buckets[0]?.id}".*\\} (\\S+)$`, 'gm'),
  );
  return shards.reduce((sum, [, bytes]) => sum + Number(bytes), 0) / 1e6;
}
