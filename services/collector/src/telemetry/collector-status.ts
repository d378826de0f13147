import { formatInstant, type EpochSeconds, type RefusedSource } from '@lobbystats/contracts';
import { lobbiesOf, missingOf, type SlotObservation } from '../network/slot-observation.ts';
import type { BoardBackfillProgress, BackfillProgress, Telemetry } from './telemetry.ts';

interface SlotSummary {
  slot: string;
  titles: number;
  active: number;
  missing: number;
  online: number;
  registered: number | null;
  lobbies: number | null;
  seconds: number;
}

export interface CollectorStatus {
  /** Whether this replica leads. */
  leads: boolean;
  lastSlot: SlotSummary | null;
  fill: (BackfillProgress & { done: boolean }) | null;
  boardFill: BoardBackfillProgress | null;
  playerFill: { done: boolean } | null;
  refusedSources: readonly RefusedSource[];
  pagesRead: number;
  pagesFailed: number;
  requests: number;
}

export function trackStatus(inner: Telemetry): { status: CollectorStatus; telemetry: Telemetry } {
  const status: CollectorStatus = {
    leads: false,
    lastSlot: null,
    fill: null,
    boardFill: null,
    playerFill: null,
    refusedSources: [],
    pagesRead: 0,
    pagesFailed: 0,
    requests: 0,
  };
  const telemetry: Telemetry = {
    ...inner,
    leads(isLeading) {
      status.leads = isLeading;
      inner.leads(isLeading);
    },
    requestSent(waitedMs) {
      status.requests += 1;
      inner.requestSent(waitedMs);
    },
    pageRead(page, how) {
      status.pagesRead += 1;
      inner.pageRead(page, how);
    },
    pageFailed(page, url, failure) {
      status.pagesFailed += 1;
      inner.pageFailed(page, url, failure);
    },
    slotFinished(slot, observation, durationMs) {
      status.lastSlot = summaryOf(slot, observation, durationMs);
      inner.slotFinished(slot, observation, durationMs);
    },
    backfillProgressed(progress) {
      status.fill = { ...progress, done: false };
      inner.backfillProgressed(progress);
    },
    backfillEnded(progress) {
      status.fill = { ...progress, done: true };
      inner.backfillEnded(progress);
    },
    boardBackfillProgressed(progress) {
      status.boardFill = progress;
      inner.boardBackfillProgressed(progress);
    },
    playerBackfillProgressed(done) {
      status.playerFill = { done };
      inner.playerBackfillProgressed(done);
    },
    sourcesRefused(refused) {
      status.refusedSources = refused;
      inner.sourcesRefused(refused);
    },
  };
  return { status, telemetry };
}

function summaryOf(slot: EpochSeconds, observation: SlotObservation, durationMs: number): SlotSummary {
  const { titles, online, registered } = observation;
  return {
    slot: formatInstant(slot),
    titles: titles.length,
    active: titles.filter(({ matches }) => matches === null || matches.length > 0).length,
    missing: missingOf(observation),
    online,
    registered,
    lobbies: lobbiesOf(observation),
    seconds: durationMs / 1000,
  };
}
