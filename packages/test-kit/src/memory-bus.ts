import { openBus, type MessageBus } from '@lobbystats/service-kit/bus';
import { cleanUp, type Scope } from './clean-up.ts';

export async function memoryBus(origin = 'simulated', scope: Scope = 'test'): Promise<MessageBus> {
  const bus = await openBus({ url: 'memory:', origin });
  cleanUp(() => bus.close(), scope);
  return bus;
}
