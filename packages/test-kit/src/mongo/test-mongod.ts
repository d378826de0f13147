import os from 'node:os';
import { MongoClient, type Document } from 'mongodb';
import { eventually } from '../eventually.ts';
import { testServers } from '../test-servers.ts';
import { docker, pauseContainer, unpauseContainer } from '../docker/docker.ts';
import { freePorts } from '../docker/free-ports.ts';

/** A MongoDB replica set of one member for a single suite, which may break it. */
export interface TestMongod {
  /** Administrator URL without a database. */
  readonly url: string;
  pause(): Promise<void>;
  unpause(): Promise<void>;
  /** Sends SIGKILL and restarts it from its data. */
  killAndStart(): Promise<void>;
  /** Leaves the set without a primary for at least `seconds`. */
  stepDown(seconds: number): Promise<void>;
  remove(): Promise<void>;
}

/** The options of docker-compose.yml. */
const OPTIONS = ['--replSet', 'rs0', '--setParameter', 'transactionLifetimeLimitSeconds=5'];

/**
 * Starts a server from the image of the shared one on a free port.
 *
 * @param more additional options
 */
export async function startMongod(...more: readonly string[]): Promise<TestMongod> {
  const [port] = (await freePorts(1)) as [number];
  const shared = new URL(testServers().mongodb.url).port;
  const image = await docker(['ps', '--filter', `publish=${shared}`, '--format', '{{.Image}}']);
  const id = await docker(['run', '-d', '-p', `127.0.0.1:${port}:27017`, image, 'mongod', ...OPTIONS, ...more]);
  const url = `mongodb://127.0.0.1:${port}/?directConnection=true`;

  const command = async (asked: Document): Promise<Document> => {
    const client = new MongoClient(url, { serverSelectionTimeoutMS: 1000, runtimeAdapters: { os } });
    try {
      return await client.db('admin').command(asked);
    } finally {
      await client.close();
    }
  };
  const patience = { everyMs: 200 };
  const primary = async () => {
    expect(await command({ hello: 1 })).toMatchObject({ isWritablePrimary: true });
  };
  const remove = async () => {
    await docker(['rm', '--force', '--volumes', id]);
  };

  try {
    const members = [{ _id: 0, host: '127.0.0.1:27017' }];
    await eventually(() => command({ replSetInitiate: { _id: 'rs0', members } }), patience);
    await eventually(primary, patience);
  } catch (error) {
    await remove();
    throw error;
  }
  return {
    url,
    pause: () => pauseContainer(id),
    unpause: () => unpauseContainer(id),
    async killAndStart() {
      await docker(['kill', '--signal', 'KILL', id]);
      await docker(['start', id]);
      await eventually(primary, patience);
    },
    async stepDown(seconds) {
      await command({ replSetStepDown: seconds, force: true });
    },
    remove,
  };
}
