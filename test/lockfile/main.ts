import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { completeLock, missingBuilds, type Lock } from './complete-lock.ts';

const path = join(import.meta.dirname, '../../package-lock.json');
const lock = JSON.parse(readFileSync(path, 'utf8')) as Lock;
const added = missingBuilds(lock).size;
if (added > 0) writeFileSync(path, `${JSON.stringify(completeLock(lock), null, 2)}\n`);
console.log(`package-lock.json: ${added} builds for other platforms added`);
