import type { Network } from '../network/network.ts';
import { PageFailure } from '../network/page-failures.ts';
import { deadlineMsOf, slotAt } from '../slots/slot-times.ts';
import type { Telemetry } from '../telemetry/telemetry.ts';
import type { Time } from '../time/time.ts';
import type { TitleAnnouncer } from './title-announcer.ts';
import type { AnnouncedTitles } from './announced-titles.ts';

/** The next slot reads the same titles, so a failure is final. */
const TIMEOUT_MS = 30_000;

export interface BootstrapTitlesParts {
  network: Network;
  titles: AnnouncedTitles;
  announcer: TitleAnnouncer;
  telemetry: Telemetry;
  time: Time;
}

/**
 * Reads the homepage at a first start for title names, which the backfill lacks until the first slot, minutes later. No
 * effect when titles are known. Never rejects.
 */
export async function bootstrapTitles({
  network,
  titles,
  announcer,
  telemetry,
  time,
}: BootstrapTitlesParts): Promise<void> {
  try {
    const slot = slotAt(time.now());
    if (time.now() < deadlineMsOf(slot) || (await titles.all()).size > 0) return;
    const reading = await network.homepage({ slot, deadlineMs: time.now() + TIMEOUT_MS });
    await announcer.publishHomes(reading.titles, Math.floor(time.now() / 1000));
  } catch (error) {
    // PageFailures are already counted and logged.
    if (!(error instanceof PageFailure)) telemetry.fault('bootstrapping titles failed', error);
  }
}
