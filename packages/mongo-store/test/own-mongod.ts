import { execFile } from 'node:child_process';
import { createServer, type AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { MongoClient, type Document } from 'mongodb';

const run = promisify(execFile);

/** A MongoDB of one suite's own, a replica set of one, for harm that no other suite may feel. */
export interface OwnMongod {
  /** For its administrator, without a database. */
  readonly url: string;
  pause(): Promise<void>;
  unpause(): Promise<void>;
  /** kill -9, and what comes up again from its disk. */
  killAndStart(): Promise<void>;
  /** No primary for so many seconds at least. */
  stepDown(seconds: number): Promise<void>;
  remove(): Promise<void>;
}

export async function startOwnMongod(image = process.env['MONGO_IMAGE'] ?? 'mongo:8'): Promise<OwnMongod> {
  const port = await freePort();
  const docker = async (...args: string[]) => (await run('docker', args)).stdout.trim();
  const arguments_ = ['mongod', '--replSet', 'rs0', '--bind_ip_all'];
  const container = await docker('run', '-d', '-p', `127.0.0.1:${port}:27017`, image, ...arguments_);
  const url = `mongodb://127.0.0.1:${port}/?directConnection=true`;

  const command = async (asked: Document): Promise<Document> => {
    const client = new MongoClient(url, {
      serverSelectionTimeoutMS: 1000,
      runtimeAdapters: { os: await import('node:os') },
    });
    try {
      return await client.db('admin').command(asked);
    } finally {
      await client.close();
    }
  };
  const until = async (work: () => Promise<boolean>): Promise<void> => {
    for (let looks = 0; looks < 100; looks += 1) {
      if (await work().catch(() => false)) return;
      await sleep(200);
    }
    throw new Error('MongoDB did not come up');
  };
  const hasPrimary = async () => (await command({ hello: 1 }))['isWritablePrimary'] === true;
  const members = [{ _id: 0, host: '127.0.0.1:27017' }];

  await until(async () => (await command({ replSetInitiate: { _id: 'rs0', members } }))['ok'] === 1);
  await until(hasPrimary);
  return {
    url,
    pause: async () => void (await docker('pause', container)),
    unpause: async () => void (await docker('unpause', container)),
    async killAndStart() {
      await docker('kill', '--signal', 'KILL', container);
      await docker('start', container);
      await until(hasPrimary);
    },
    stepDown: async (seconds) => void (await command({ replSetStepDown: seconds, force: true })),
    remove: async () => void (await docker('rm', '--force', '--volumes', container)),
  };
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}
