import type { CreateFixture } from './bus-fixture.ts';
import { deadLetterContract } from './dead-letters.contract.ts';
import { deliveryContract } from './delivery.contract.ts';
import { failureContract } from './failure.contract.ts';
import { orderedDeliveryContract } from './ordered-delivery.contract.ts';
import { logContract } from './log.contract.ts';
import { publishingContract } from './publishing.contract.ts';
import { durabilityContract } from './durability.contract.ts';

/** The contract of every adapter. */
export function messageBusContract(name: string, createPlace: CreateFixture): void {
  describe(`the message bus at ${name}`, () => {
    publishingContract(createPlace);
    deliveryContract(createPlace);
    failureContract(createPlace);
    orderedDeliveryContract(createPlace);
    deadLetterContract(createPlace);
    logContract(createPlace);
  });
}

/** The contract of adapters whose messages survive the process. */
export function durableMessageBusContract(name: string, createPlace: CreateFixture): void {
  messageBusContract(name, createPlace);
  describe(`the message bus at ${name}, across restarts`, () => {
    durabilityContract(createPlace);
  });
}
