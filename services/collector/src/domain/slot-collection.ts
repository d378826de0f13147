import type { CollectorStore } from './collector-store.ts';
import { introduceTitles } from './introduction.ts';
import type { Errands } from './errands.ts';
import { leasesOf } from './lease.ts';
import type { Network } from './network.ts';
import type { Outlet } from './outlet.ts';
import { createPageReading, type PageReadingWork } from './page-reading.ts';
import { createSlotClosing } from './slot-closing.ts';
import { createSlotKeeper, type SlotKeeper } from './slot-keeper.ts';
import { createSlotOpening } from './slot-opening.ts';
import type { Telemetry } from './telemetry.ts';
import type { Backoff, Time } from './time.ts';
import { createTitleAnnouncer } from './title-announcer.ts';

export interface SlotCollectionParts {
  store: CollectorStore;
  network: Network;
  outlet: Outlet;
  telemetry: Telemetry;
  time: Time;
  backoff: Backoff;
  settleMs: number;
  holder: string;
  stopping: AbortSignal;
  errands: Errands;
}

export interface SlotCollection {
  keeper: SlotKeeper;
  readPage: PageReadingWork;
  introduce: () => Promise<void>;
}

export function createSlotCollection(parts: SlotCollectionParts): SlotCollection {
  const { store, outlet, time, holder } = parts;
  const { slots, titles, boards } = store;
  const leases = leasesOf(holder, () => time.now());
  const announcer = createTitleAnnouncer(outlet, titles, false);
  const closing = createSlotClosing({ ...parts, slots, leases });
  const opening = createSlotOpening({ ...parts, slots, titles, announcer });
  return {
    keeper: createSlotKeeper({ ...parts, slots, opening, closing, leases }),
    readPage: createPageReading({ ...parts, slots, titles, boards, announcer, closing }),
    introduce: () => introduceTitles({ ...parts, titles, announcer }),
  };
}
