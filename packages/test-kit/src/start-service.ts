import type { Service } from '@lobbystats/service-kit';
import { cleanUp, cleanUpNow, type Scope } from './clean-up.ts';

export async function startService(service: Service, scope: Scope = 'test'): Promise<string> {
  cleanUp(() => service.stop(), scope);
  await service.start();
  return service.url();
}

export async function stopAll(): Promise<void> {
  await cleanUpNow('test');
}
