import { formatInstant, type EpochSeconds } from '@lobbystats/contracts';
import { lobbiesOf, missingOf, type SlotObservation } from './slot-observation.ts';
import type { BoardFillProgress, FillProgress, Telemetry } from './telemetry.ts';

export interface SlotSummary {
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
  lastSlot: SlotSummary | null;
  fill: (FillProgress & { done: boolean }) | null;
  boardFill: BoardFillProgress | null;
  playerFill: { done: boolean } | null;
  pagesHad: number;
  pagesFailed: number;
  requests: number;
}

export function keepStatus(inner: Telemetry): { status: CollectorStatus; telemetry: Telemetry } {
  const status: CollectorStatus = {
    lastSlot: null,
    fill: null,
    boardFill: null,
    playerFill: null,
    pagesHad: 0,
    pagesFailed: 0,
    requests: 0,
  };
  const telemetry: Telemetry = {
    ...inner,
    requested(waitedMs) {
      status.requests += 1;
      inner.requested(waitedMs);
    },
    pageHad(page, how) {
      status.pagesHad += 1;
      inner.pageHad(page, how);
    },
    pageFailed(page, url, failure) {
      status.pagesFailed += 1;
      inner.pageFailed(page, url, failure);
    },
    slotFinished(slot, observation, durationMs) {
      status.lastSlot = summaryOf(slot, observation, durationMs);
      inner.slotFinished(slot, observation, durationMs);
    },
    fillProgressed(progress) {
      status.fill = { ...progress, done: false };
      inner.fillProgressed(progress);
    },
    fillEnded(progress) {
      status.fill = { ...progress, done: true };
      inner.fillEnded(progress);
    },
    boardFillProgressed(progress) {
      status.boardFill = progress;
      inner.boardFillProgressed(progress);
    },
    playerFillProgressed(done) {
      status.playerFill = { done };
      inner.playerFillProgressed(done);
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
