import type { EpochSeconds } from '@lobbystats/contracts';
import type { Metrics } from '@lobbystats/service-kit';
import type { StoredBatch } from '../domain/store-slots.ts';

export interface IngestMetrics {
  startBatch(): (batch: StoredBatch) => void;
  setNewestSlot(slot: EpochSeconds | null): void;
}

export function ingestMetrics(metrics: Metrics): IngestMetrics {
  const slots = metrics.counter('slots_observed_total', 'Observed slots, by what was done with them', ['result']);
  const points = metrics.counter('snapshots_stored_total', 'Snapshots of titles and matches stored');
  const duration = metrics.histogram('slot_batch_duration_seconds', 'How long storing a batch of slots took');
  const newest = metrics.gauge('newest_slot_timestamp_seconds', 'The newest slot that can be read');
  return {
    startBatch: () => {
      const stopTimer = duration.startTimer();
      return ({ stored, repeated, expired, points: written }) => {
        stopTimer();
        slots.inc({ result: 'stored' }, stored);
        slots.inc({ result: 'repeated' }, repeated);
        slots.inc({ result: 'expired' }, expired);
        points.inc(written);
      };
    },
    setNewestSlot: (slot) => {
      if (slot !== null) newest.set(slot);
    },
  };
}
