import type { BoardMemory } from './board-memory.ts';
import type { Network } from './network.ts';
import type { PageJob } from './outlet.ts';
import { PageFailure } from './page-failures.ts';
import type { SlotClosing } from './slot-closing.ts';
import type { SlotStore } from './slot-store.ts';
import { endMsOf } from './slot-times.ts';
import type { Telemetry } from './telemetry.ts';
import type { Time } from './time.ts';
import type { TitleAnnouncer } from './title-announcer.ts';
import type { TitleMemory } from './title-memory.ts';

export interface PageReadingParts {
  slots: SlotStore;
  titles: TitleMemory;
  boards: BoardMemory;
  network: Network;
  announcer: TitleAnnouncer;
  closing: SlotClosing;
  telemetry: Telemetry;
  time: Time;
}

/**
 * Reads one game page for a slot. A job that comes again changes nothing: what was had isn't asked for a second time.
 *
 * Rejects when the page couldn't be had, to be tried again. Resolves when that is of no use: the slot lacks the title then.
 */
export type PageReadingWork = (job: PageJob) => Promise<void>;

/**
 * How many pages one instance has in hand at this pace, those included that wait for their turn: as many as it may ask
 * for while an answer takes a second, so that slow answers don't lower the pace.
 */
export function pagesInHand(perSecond: number): number {
  return Math.min(Math.max(perSecond, 16), 256);
}

export function createPageReading(parts: PageReadingParts): PageReadingWork {
  const { slots, titles, boards, network, announcer, closing, telemetry, time } = parts;

  return async ({ slot, titleId, ...job }) => {
    if (time.now() >= endMsOf(slot)) return;
    const awaitedUntilMs = job.matches ? await slots.awaitedUntil(slot, titleId) : undefined;
    const matches = awaitedUntilMs !== undefined && time.now() < awaitedUntilMs;
    const metadata = job.metadata && (await titles.recall(titleId))?.pageSlot !== slot;
    if (!matches && !metadata) return;

    const deadlineMs = matches ? awaitedUntilMs : endMsOf(slot);
    const reading = await network.gamePage(titleId, { slot, deadlineMs, matches }).catch((error: unknown) => {
      if (!(error instanceof PageFailure)) throw error;
      // The network has no such page: that will not change within the slot, and nobody waits for it.
      if ((!matches && error.kind === 'refused') || error.isFinal) return undefined;
      throw error;
    });
    if (reading === undefined) return;
    if (matches && reading.matches !== null && time.now() < awaitedUntilMs) {
      const left = await slots.putMatches(slot, titleId, reading.matches);
      if (left === 0) await closeNow(slot);
    }
    // First: with what follows, the page counts as read for the slot.
    if (metadata && reading.boards !== null) await boards.list(titleId, reading.boards);
    if (metadata) await announcer.page(titleId, reading.metadata, slot, Math.floor(time.now() / 1000));
  };

  /** The page is had, whatever becomes of the slot: if this fails, the slot's lease brings somebody else to it. */
  async function closeNow(slot: number): Promise<void> {
    try {
      await closing.close(slot);
    } catch (error) {
      telemetry.fault('a slot could not be published yet', error);
    }
  }
}
