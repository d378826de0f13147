import type { FaultyStack } from '../faults/inject.ts';

interface Finding {
  readonly part: string;
  readonly grade: string;
  readonly text: string;
}

const DOCTOR = ['run', '--rm', '-T', 'operator', 'node', 'packages/cli/src/main.ts', 'doctor', '--json'];

/** Findings of `lobbystats doctor` on the clustered servers that are not ok, as `part: text`. */
export async function serverFaults({ compose }: FaultyStack): Promise<string[]> {
  // Exit code 1 if there is a fault.
  const text = await compose(...DOCTOR).catch(outputOf);
  return (JSON.parse(text) as Finding[])
    .filter(({ part, grade }) => /^(rabbitmq|mongodb)/.test(part) && grade !== 'ok')
    .map(({ part, text }) => `${part}: ${text}`);
}

/** Fails unless all nodes run, and every queue, stream and replica set has all of its members. */
export async function expectComplete(stack: FaultyStack): Promise<void> {
  expect(await serverFaults(stack)).toEqual([]);
}

function outputOf(error: unknown): string {
  // Errors of Node's modules are no instances of Jest's Error.
  if (typeof error === 'object' && error !== null && 'stdout' in error) return String(error.stdout);
  throw error;
}
