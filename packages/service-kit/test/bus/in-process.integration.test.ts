import { JournalBusFixture } from './journal-bus-fixture.ts';
import { durableMessageBusContract, messageBusContract } from './message-bus.contract.ts';

messageBusContract('memory:', () => JournalBusFixture.inMemory());
durableMessageBusContract('memory:PATH', () => JournalBusFixture.inFile());
