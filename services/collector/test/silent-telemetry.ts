import type { Telemetry } from '../src/domain/telemetry.ts';

const nothing = (): void => undefined;

/** Tells nobody. */
export const silentTelemetry: Telemetry = {
  requested: nothing,
  pageHad: nothing,
  pageFailed: nothing,
  pageTerminated: nothing,
  rowsSkipped: nothing,
  slotFinished: nothing,
  slotMissed: nothing,
  slotSkipped: nothing,
  fillProgressed: nothing,
  fillEnded: nothing,
  boardHad: nothing,
  boardFailed: nothing,
  boardsWanted: nothing,
  boardFillProgressed: nothing,
  eventsSkipped: nothing,
  playersSkipped: nothing,
  playerFillProgressed: nothing,
  fault: nothing,
};
