import { createTitleAdmission } from '../titles/title-admission.ts';
import { bootstrapTitles, createTitleAnnouncer } from '../titles/title-announcer.ts';
import { createPageCollector } from './collect-page.ts';
import { createSlotPublishing } from './freeze-and-publish-slot.ts';
import { createSlotOpener } from './open-slot.ts';
import { createSlotKeeper } from './slot-keeper.ts';
import type { SlotParts } from './slot-parts.ts';

type SlotStores = Pick<SlotParts, 'slots' | 'withdrawals' | 'kept' | 'titles' | 'boards' | 'pages'>;

export interface SlotCollectionParts extends Omit<SlotParts, keyof SlotStores | 'admit' | 'announcer'> {
  store: SlotStores;
}

/**
 * Connects the steps of a slot: open, read (the parsers in pages/), collect, freeze, publish. Each step reads its input
 * from the store, so the next leader can go on. The keeper starts them by the clock, jobs collect the pages.
 */
export function createSlotCollection({ store, ...given }: SlotCollectionParts) {
  const { publisher, telemetry } = given;
  const { slots, withdrawals, kept, titles, boards, pages } = store;
  const admit = createTitleAdmission(titles, telemetry);
  const announcer = createTitleAnnouncer(publisher, titles, false);
  const parts: SlotParts = { ...given, slots, withdrawals, kept, titles, boards, pages, admit, announcer };
  const openSlot = createSlotOpener(parts);
  const publishing = createSlotPublishing(parts);
  return {
    keeper: createSlotKeeper(parts, openSlot, publishing),
    readPage: createPageCollector(parts, publishing),
    bootstrap: (): Promise<void> => bootstrapTitles(parts),
  };
}
