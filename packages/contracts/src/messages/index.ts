import { boardObserved, boardStored, boardWanted, changeRecorded } from './board-messages.ts';
import { eventsObserved, eventStored } from './event-messages.ts';
import { matchEnded, slotStored, titleStored } from './facts.ts';
import { pageWanted } from './jobs.ts';
import type { MessageType } from './message-type.ts';
import { registeredObserved, slotObserved, titleObserved } from './observations.ts';

/** Every message of the system: a routing key that isn't here doesn't exist. */
export const allMessages: readonly MessageType[] = [
  slotObserved,
  registeredObserved,
  titleObserved,
  boardObserved,
  eventsObserved,
  pageWanted,
  boardWanted,
  slotStored,
  matchEnded,
  titleStored,
  boardStored,
  changeRecorded,
  eventStored,
];
