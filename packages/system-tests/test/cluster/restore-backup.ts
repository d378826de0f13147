import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { FaultyStack } from '../faults/inject.ts';

const SERVICES = ['collector', 'series-api', 'series-api-2', 'catalog-api', 'user-api', 'reputation-api', 'gateway'];
const COMMAND = ['node', 'packages/cli/src/main.ts'];

/**
 * Backs up a running cluster, restores the backup over its data, and starts its services again.
 *
 * @throws Error when a command fails, such as when a count differs from that of the backup
 */
export async function restoreBackup({ compose }: Pick<FaultyStack, 'compose'>): Promise<void> {
  const directory = mkdtempSync(join(tmpdir(), 'lobbystats-cluster-'));
  // Users of containers are others.
  chmodSync(directory, 0o777);
  const run = (...command: string[]) =>
    compose('run', '--rm', '--no-deps', '-T', '-v', `${directory}:/copies`, 'operator', ...command);
  try {
    await run(...COMMAND, 'backup', '--to', '/copies/backup');
    await compose('stop', ...SERVICES);
    await run(...COMMAND, 'restore', '--from', '/copies/backup', '--force');
  } finally {
    try {
      await compose('up', '-d', '--wait', '--no-recreate');
    } finally {
      // The files belong to the container's user.
      await run('rm', '-rf', '/copies/backup');
      rmSync(directory, { recursive: true });
    }
  }
}
