import type { FaultyStack } from './inject.ts';

interface DeadLetter {
  readonly id: string;
  readonly [field: string]: unknown;
}

/** Lists the dead letters of all services. */
export async function deadLetters({ compose }: FaultyStack): Promise<DeadLetter[]> {
  return JSON.parse(await compose('run', '--rm', '-T', 'dlq', 'list', '--json')) as DeadLetter[];
}

export async function purgeDeadLetters({ compose }: FaultyStack): Promise<void> {
  await compose('run', '--rm', '-T', 'dlq', 'purge', '--all');
}
