import { mkdirSync, rmdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { cleanUp } from './clean-up.ts';
import { eventually } from './eventually.ts';

/** Real servers of `npm run test:servers`, with all rights. */
export interface TestServers {
  rabbitmq: {
    /** `amqp://user:password@host:port`, without a virtual host. */
    url: string;
    managementUrl: string;
  };
  influxdb: { url: string; token: string; org: string };
  mongodb: { url: string };
}

/** Each server is one that the named suites need. @throws Error outside of `npm run test:servers` (all fields) */
export function testServers(env: Readonly<Record<string, string | undefined>> = process.env): TestServers {
  const get = (name: string): string => {
    const value = env[name];
    if (value === undefined) throw new Error(`${name} is not set: npm run test:servers starts the servers and sets it`);
    return value;
  };
  return {
    get rabbitmq() {
      return { url: get('TEST_RABBITMQ_URL'), managementUrl: get('TEST_RABBITMQ_MANAGEMENT_URL') };
    },
    get influxdb() {
      return { url: get('TEST_INFLUXDB_URL'), token: get('TEST_INFLUXDB_TOKEN'), org: get('TEST_INFLUXDB_ORG') };
    },
    get mongodb() {
      return { url: get('TEST_MONGODB_URL') };
    },
  };
}

/**
 * Waits for other suites that run the init job on the test servers, which changes the passwords of the services' users, and keeps them
 * waiting until the end of this one. Suites with users and databases of their own run meanwhile.
 */
export async function lockServers(): Promise<void> {
  const lock = join(tmpdir(), `lobbystats-servers-${new URL(testServers().mongodb.url).port}.lock`);
  await eventually(() => mkdirSync(lock), { timeoutMs: LONGEST_MS, everyMs: 100 });
  cleanUp(() => rmdirSync(lock), 'file');
}

const LONGEST_MS = 540_000;
