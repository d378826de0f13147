import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { promisify } from 'node:util';
import { completeLock, missingBuilds } from './complete-lock.ts';
import { fillHashes, unhashedEntries } from './integrity.ts';
import { lockPath, readLock } from './read-lock.ts';

const run = promisify(execFile);

async function hashOf(spec: string): Promise<string | undefined> {
  try {
    // `npm run -s` would also silence the error code.
    const { stdout } = await run('npm', ['view', spec, 'dist.integrity', '--loglevel=error']);
    return stdout.trim() || undefined;
  } catch (error) {
    if (error instanceof Error && /\bE404\b/.test(error.message)) return undefined;
    throw error;
  }
}

const lock = readLock();
const completed = await fillHashes(completeLock(lock), hashOf);
writeFileSync(lockPath, `${JSON.stringify(completed, null, 2)}\n`);
console.log(`package-lock.json: ${missingBuilds(lock).size} builds for other platforms added`);
console.log(`${unhashedEntries(completed).size} have no hash: the registry does not have them`);
