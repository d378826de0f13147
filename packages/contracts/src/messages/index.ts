import { backfillProgressed } from './backfill-messages.ts';
import { boardConfirmed, boardObserved, boardStored, boardRequested, changeRecorded } from './board-messages.ts';
import { eventsObserved, eventStored } from './event-messages.ts';
import { iconObserved, iconStored } from './icon-messages.ts';
import { matchEnded, matchOpened, nowChanged, slotRemoved, slotStored, titleStored } from './facts.ts';
import { pageRequested, registeredObserved, slotObserved, slotWithdrawn, titleObserved } from './observations.ts';
import type { MessageType } from './message-type.ts';
import { sourcesChecked } from './source-messages.ts';
import {
  achievementUnlocked,
  playtimeCredited,
  profileUpdated,
  userAllowed,
  userErased,
  userStored,
} from './user-messages.ts';
import { playerRanked, playersObserved, playObserved } from './player-messages.ts';
import { commentHidden, commentShown, raterBarred, ratingStored } from './reputation-messages.ts';

export const allMessages: readonly MessageType[] = [
  slotObserved,
  slotWithdrawn,
  registeredObserved,
  titleObserved,
  iconObserved,
  boardObserved,
  boardConfirmed,
  eventsObserved,
  playersObserved,
  playObserved,
  pageRequested,
  boardRequested,
  backfillProgressed,
  sourcesChecked,
  slotStored,
  slotRemoved,
  nowChanged,
  matchOpened,
  matchEnded,
  titleStored,
  iconStored,
  boardStored,
  changeRecorded,
  eventStored,
  playerRanked,
  userStored,
  profileUpdated,
  playtimeCredited,
  achievementUnlocked,
  userErased,
  userAllowed,
  ratingStored,
  commentHidden,
  commentShown,
  raterBarred,
];

export const messagesByKey: ReadonlyMap<string, MessageType> = new Map(allMessages.map((type) => [type.key, type]));
