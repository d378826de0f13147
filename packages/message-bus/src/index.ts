export * from './message-bus.ts';
export type { BusEvent, BusEventDetails, BusHooks, MessageContext } from './bus-hooks.ts';
export { MAX_BODY_BYTES } from './body-size.ts';
export { BusUrlError, openBus, openDeadLetters, type OpenBusOptions } from './open.ts';
export { JournalInUseError } from './in-process/owner-lock.ts';
export { NoJournalError } from './in-process/open-dead-letters.ts';
export { FACTS_AT_ONCE, OutboxRelay, type OutboxRelayOptions } from './outbox-relay.ts';
export { provisionRabbitMq, type ProvisionRabbitMqOptions } from './rabbitmq/provision.ts';
export type { BusUser } from './rabbitmq/rights.ts';
