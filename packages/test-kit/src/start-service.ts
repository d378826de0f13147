import type { Service } from '@lobbystats/service-kit';
import { cleanUp, cleanUpNow, type Scope } from './clean-up.ts';

/** Starts a service, which is stopped when its scope is over; gives the URL where it listens. */
export async function startService(service: Service, scope: Scope = 'test'): Promise<string> {
  cleanUp(() => service.stop(), scope);
  await service.start();
  return service.url();
}

/** Stops now, the last first, all that the test has started. */
export async function stopAll(): Promise<void> {
  await cleanUpNow('test');
}
