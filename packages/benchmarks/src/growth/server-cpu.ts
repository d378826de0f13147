import { testServers } from '@lobbystats/test-kit';
import { MongoClient } from 'mongodb';

/** A database server's own figures, so that it may run anywhere. */
export interface ServerFigures {
  /** Processor time since its start, in milliseconds. */
  cpuMs(): Promise<number>;
  residentMb(): Promise<number>;
  close(): Promise<void>;
}

export interface InfluxFigures extends ServerFigures {
  /** Size of a bucket, without the write-ahead log. */
  diskMb(bucket: string): Promise<number>;
}

export function influxFigures(): InfluxFigures {
  const { url, token } = testServers().influxdb;
  const metrics = async () => (await fetch(`${url}/metrics`)).text();
  const metric = async (name: string) => Number(new RegExp(`^${name} (\\S+)$`, 'm').exec(await metrics())?.[1]);
  return {
    cpuMs: async () => 1000 * (await metric('process_cpu_seconds_total')),
    residentMb: async () => (await metric('process_resident_memory_bytes')) / 1e6,
    diskMb: async (bucket) => {
      const found = await fetch(`${url}/api/v2/buckets?name=${bucket}`, {
        headers: { authorization: `Token ${token}` },
      });
      const { buckets } = (await found.json()) as { buckets: { id: string }[] };
      const shards = new RegExp(`^storage_shard_disk_size\\{bucket="${buckets[0]?.id}".*\\} (\\S+)$`, 'gm');
      return (await metrics()).matchAll(shards).reduce((sum, [, bytes]) => sum + Number(bytes), 0) / 1e6;
    },
    close: () => Promise.resolve(),
  };
}

interface ServerStatus {
  readonly extra_info: { readonly user_time_us: number; readonly system_time_us: number };
  /** In MiB. */
  readonly mem: { readonly resident: number };
}

export async function mongoFigures(): Promise<ServerFigures> {
  const client = await MongoClient.connect(testServers().mongodb.url);
  const status = async () => (await client.db('admin').command({ serverStatus: 1 })) as unknown as ServerStatus;
  return {
    cpuMs: async () => {
      const { user_time_us: user, system_time_us: system } = (await status()).extra_info;
      return (Number(user) + Number(system)) / 1000;
    },
    residentMb: async () => (await status()).mem.resident * 1.048576,
    close: () => client.close(),
  };
}
