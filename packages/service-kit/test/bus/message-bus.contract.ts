import type { CreateFixture } from './bus-fixture.ts';
import { deadLetterContract } from './dead-letters.contract.ts';
import { deliveryContract } from './delivery.contract.ts';
import { failureContract } from './failure.contract.ts';
import { orderedDeliveryContract } from './ordered-delivery.contract.ts';
import { logContract } from './log.contract.ts';
import { publishingContract } from './publishing.contract.ts';
import { replicasContract } from './replicas.contract.ts';
import { durabilityContract } from './durability.contract.ts';

/** The contract of every adapter. */
export function messageBusContract(name: string, createFixture: CreateFixture): void {
  describe(`the message bus at ${name}`, () => {
    publishingContract(createFixture);
    deliveryContract(createFixture);
    failureContract(createFixture);
    orderedDeliveryContract(createFixture);
    deadLetterContract(createFixture);
    logContract(createFixture);
    replicasContract(createFixture);
  });
}

/** The contract of adapters whose messages survive the process. */
export function durableMessageBusContract(name: string, createFixture: CreateFixture): void {
  messageBusContract(name, createFixture);
  describe(`the message bus at ${name}, across restarts`, () => {
    durabilityContract(createFixture);
  });
}
