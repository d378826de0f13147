import { integrityFaults } from './integrity.ts';
import { readLock } from './read-lock.ts';
import { unhashedBuilds } from './unhashed-builds.ts';

const faults = integrityFaults(readLock(), unhashedBuilds);
for (const fault of faults) console.error(`package-lock.json: ${fault}`);
process.exitCode = faults.length === 0 ? 0 : 1;
