import { JournalBusPlace } from './journal-place.ts';
import { durableMessageBusContract, messageBusContract } from './message-bus.contract.ts';

messageBusContract('memory:', () => JournalBusPlace.inMemory());
durableMessageBusContract('memory:PATH', () => JournalBusPlace.inFile());
