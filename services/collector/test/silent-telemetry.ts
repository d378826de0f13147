import type { Telemetry } from '../src/telemetry/telemetry.ts';

const nothing = (): void => undefined;

/** Discards all metrics and logs. */
export const silentTelemetry: Telemetry = {
  requestSent: nothing,
  requestsWaiting: nothing,
  leads: nothing,
  quietAnnounced: nothing,
  pageRead: nothing,
  pageFailed: nothing,
  pageParsed: nothing,
  pageTerminated: nothing,
  titlesRefused: nothing,
  matchesRefused: nothing,
  slotFinished: nothing,
  slotMissed: nothing,
  slotSkipped: nothing,
  backfillProgressed: nothing,
  backfillEnded: nothing,
  boardRead: nothing,
  boardFailed: nothing,
  boardsEnqueued: nothing,
  boardBackfillProgressed: nothing,
  eventsSkipped: nothing,
  playersSkipped: nothing,
  playerBackfillProgressed: nothing,
  sourceChecked: nothing,
  sourcesRefused: nothing,
  slotCompleted: nothing,
  fault: nothing,
};
