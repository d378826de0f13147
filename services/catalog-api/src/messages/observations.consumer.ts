import type { Handler, MessageBus, Subscription } from '@lobbystats/message-bus';

export function consumeObservations(bus: MessageBus, handlers: readonly Handler[]): Promise<Subscription> {
  return bus.consume({ queue: 'catalog-api', handlers });
}
