import { matchEnded, slotStored, titleStored } from './facts.ts';
import { pageWanted } from './jobs.ts';
import type { MessageType } from './message-type.ts';
import { registeredObserved, slotObserved, titleObserved } from './observations.ts';

/** Every message of the system: a routing key that isn't here doesn't exist. */
export const allMessages: readonly MessageType[] = [
  slotObserved,
  registeredObserved,
  titleObserved,
  pageWanted,
  slotStored,
  matchEnded,
  titleStored,
];
