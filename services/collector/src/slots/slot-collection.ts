import type { CollectorStore } from '../database/collector-store.ts';
import { bootstrapTitles } from '../titles/bootstrap-titles.ts';
import type { SlotSideTasks } from './slot-side-tasks.ts';
import { leasesOf } from '../leases/lease.ts';
import type { Network } from '../network/network.ts';
import type { ObservationPublisher } from '../messages/observation-publisher.ts';
import { createPageJobHandler, type PageJobHandler } from './page-job-handler.ts';
import { createSlotClosing } from './slot-closing.ts';
import { createSlotKeeper, type SlotKeeper } from './slot-keeper.ts';
import { createSlotOpening } from './slot-opening.ts';
import type { Telemetry } from '../telemetry/telemetry.ts';
import type { Time } from '../time/time.ts';
import type { Backoff } from '@lobbystats/concurrency';
import { createTitleAnnouncer } from '../titles/title-announcer.ts';

export interface SlotCollectionParts {
  store: CollectorStore;
  network: Network;
  publisher: ObservationPublisher;
  telemetry: Telemetry;
  time: Time;
  backoff: Backoff;
  settleMs: number;
  holder: string;
  stopping: AbortSignal;
  sideTasks: SlotSideTasks;
}

export interface SlotCollection {
  keeper: SlotKeeper;
  readPage: PageJobHandler;
  bootstrap: () => Promise<void>;
}

export function createSlotCollection(parts: SlotCollectionParts): SlotCollection {
  const { store, publisher, time, holder } = parts;
  const { slots, titles, boards } = store;
  const leases = leasesOf(holder, () => time.now());
  const announcer = createTitleAnnouncer(publisher, titles, false);
  const closing = createSlotClosing({ ...parts, slots, leases });
  const opening = createSlotOpening({ ...parts, slots, titles, announcer });
  return {
    keeper: createSlotKeeper({ ...parts, slots, opening, closing, leases }),
    readPage: createPageJobHandler({ ...parts, slots, titles, boards, announcer, closing }),
    bootstrap: () => bootstrapTitles({ ...parts, titles, announcer }),
  };
}
