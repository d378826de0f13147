import type { PageJob } from '../network/observation-publisher.ts';
import { PageFailure } from '../network/page-failures.ts';
import type { SlotPublishing } from './freeze-and-publish-slot.ts';
import type { SlotParts } from './slot-parts.ts';
import { endMsOf } from '../time/slot-times.ts';

/**
 * Reads a game page and stores its matches; the last page freezes the slot. Idempotent: matches that were read are not
 * fetched again. Rejects to be retried; resolves when a retry is of no use, and the slot then lacks the title.
 */
export type CollectPage = (job: PageJob) => Promise<void>;

/** The number of requests that the rate limit allows during a response time of one second. */
export function maxConcurrentPages(perSecond: number): number {
  return Math.min(Math.max(perSecond, 16), 256);
}

export function createPageCollector(parts: SlotParts, publishing: SlotPublishing): CollectPage {
  const { slots, titles, boards, network, announcer, telemetry, time } = parts;

  return async ({ slot, titleId, ...job }) => {
    if (time.now() >= endMsOf(slot)) return;
    const awaitedUntilMs = job.matches ? await slots.titleDeadlineMs(slot, titleId) : undefined;
    const matches = awaitedUntilMs !== undefined && time.now() < awaitedUntilMs;
    const metadata = job.metadata && (await titles.get(titleId))?.pageSlot !== slot;
    if (!matches && !metadata) return;

    const deadlineMs = matches ? awaitedUntilMs : endMsOf(slot);
    const reading = await network.gamePage(titleId, { slot, deadlineMs, matches }).catch((error: unknown) => {
      if (!(error instanceof PageFailure)) throw error;
      // A 404 will not change within the slot.
      if ((!matches && error.kind === 'rejected') || error.kind === 'absent' || error.isFinal) return undefined;
      throw error;
    });
    if (reading === undefined) return;
    if (matches && reading.matches !== null && time.now() < awaitedUntilMs) {
      const stored = await slots.putMatches(slot, titleId, reading.matches);
      if (stored === 'last') await freezeAndPublish(slot);
    }
    // Before the metadata, since the next step marks the page as read.
    if (metadata && reading.boards !== null) await boards.updateListing(titleId, reading.boards);
    if (metadata) await announcer.publishPage(titleId, reading.metadata, slot, Math.floor(time.now() / 1000));
  };

  async function freezeAndPublish(slot: number): Promise<void> {
    try {
      await publishing.freezeAndPublish(slot);
    } catch (error) {
      telemetry.fault('publishing a slot failed, retrying', error);
    }
  }
}
