import { mkdirSync, rmdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { cleanUp } from './clean-up.ts';
import { eventually } from './eventually.ts';
import { testServers } from './test-servers.ts';

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
