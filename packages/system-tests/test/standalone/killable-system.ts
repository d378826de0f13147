import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { cleanUp } from '@lobbystats/test-kit';
import { startProcess, type ServiceProcess } from './service-process.ts';

/** A line that the process prints: its URL once it is ready, and the progress of the backfill. */
export interface SystemEvent {
  readonly url?: string;
  readonly fill?: { readonly doneSlots: number; readonly totalSlots: number };
}

/** As npm scripts do it, since stripping the types of all sources takes a third of a start. */
const PREPARE_NODE = join(import.meta.dirname, '../../../service-kit/src/process/prepare-node.cjs');

/** Starts the standalone system. Its clock begins at `beginMs`. It is killed at the end of the test file. */
export function spawnSystem(beginMs: number, env: Readonly<Record<string, string>>): ServiceProcess {
  const system = startProcess('packages/system-tests/test/standalone/fixtures/run-system-main.ts', {
    env,
    args: [String(beginMs)],
    nodeArgs: ['-r', PREPARE_NODE],
  });
  cleanUp(() => system.stop('SIGKILL'), 'file');
  return system;
}

export async function* eventsOf({ child }: ServiceProcess): AsyncGenerator<SystemEvent> {
  for await (const line of createInterface({ input: child.stdout! })) yield JSON.parse(line) as SystemEvent;
}

/** Resolves when the system is ready. @throws Error when it ends before */
export function urlOf(system: ServiceProcess): Promise<string> {
  return system.waitForOutput(/"url":"([^"]+)"/);
}
