import type { Handler, MessageBus, Running } from '@lobbystats/message-bus';

export function consumeObservations(bus: MessageBus, handlers: readonly Handler[]): Promise<Running> {
  return bus.consume({ queue: 'catalog-api', handlers });
}
