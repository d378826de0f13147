import type { CreatePlace } from './bus-place.ts';
import { deadLetterContract } from './dead-letters.contract.ts';
import { deliveryContract } from './delivery.contract.ts';
import { failureContract } from './failure.contract.ts';
import { inTurnContract } from './in-turn.contract.ts';
import { logContract } from './log.contract.ts';
import { publishingContract } from './publishing.contract.ts';
import { survivalContract } from './survival.contract.ts';

/** What every adapter promises. */
export function messageBusContract(name: string, createPlace: CreatePlace): void {
  describe(`the message bus at ${name}`, () => {
    publishingContract(createPlace);
    deliveryContract(createPlace);
    failureContract(createPlace);
    inTurnContract(createPlace);
    deadLetterContract(createPlace);
    logContract(createPlace);
  });
}

/** What an adapter promises besides when its messages outlive the process. */
export function durableMessageBusContract(name: string, createPlace: CreatePlace): void {
  messageBusContract(name, createPlace);
  describe(`the message bus at ${name}, over the end of a process`, () => {
    survivalContract(createPlace);
  });
}
