import type { Handler, MessageBus, Running } from '@lobbystats/message-bus';

/** Takes in what is observed of the network: one handler for each kind of observation. */
export function consumeObservations(bus: MessageBus, handlers: readonly Handler[]): Promise<Running> {
  return bus.consume({ queue: 'catalog-api', handlers });
}
