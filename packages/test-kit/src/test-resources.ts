import type { Service } from '@lobbystats/service-kit';
import { cleanUp, cleanUpNow, type Scope } from './clean-up.ts';
import { openBus, type MessageBus } from '@lobbystats/service-kit/bus';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export async function startService(service: Service, scope: Scope = 'test'): Promise<string> {
  cleanUp(() => service.stop(), scope);
  await service.start();
  return service.url();
}

export async function stopAll(): Promise<void> {
  await cleanUpNow('test');
}

export async function memoryBus(origin = 'simulated', scope: Scope = 'test'): Promise<MessageBus> {
  const bus = await openBus({ url: 'memory:', origin });
  cleanUp(() => bus.close(), scope);
  return bus;
}

export function temporaryDirectory(scope: Scope = 'test'): string {
  const directory = mkdtempSync(join(tmpdir(), 'lobbystats-test-'));
  cleanUp(() => {
    rmSync(directory, { recursive: true, force: true });
  }, scope);
  return directory;
}
