import type { Network } from './network.ts';
import { PageFailure } from './page-failures.ts';
import { deadlineMsOf, slotAt } from './slot-times.ts';
import type { Telemetry } from './telemetry.ts';
import type { Time } from './time.ts';
import type { TitleAnnouncer } from './title-announcer.ts';
import type { TitleMemory } from './title-memory.ts';

/** In milliseconds. The next slot brings the same. */
const WITHIN_MS = 30_000;

export interface IntroductionParts {
  network: Network;
  titles: TitleMemory;
  announcer: TitleAnnouncer;
  telemetry: Telemetry;
  time: Time;
}

/**
 * Reads the homepage at a first start for title names, which the backfill lacks until the first slot, minutes later. No
 * effect when titles are known. Never rejects.
 */
export async function introduceTitles({
  network,
  titles,
  announcer,
  telemetry,
  time,
}: IntroductionParts): Promise<void> {
  try {
    const slot = slotAt(time.now());
    if (time.now() < deadlineMsOf(slot) || (await titles.all()).size > 0) return;
    const reading = await network.homepage({ slot, deadlineMs: time.now() + WITHIN_MS });
    await announcer.homes(reading.titles, Math.floor(time.now() / 1000));
  } catch (error) {
    // PageFailures are already counted and logged.
    if (!(error instanceof PageFailure)) telemetry.fault('titles could not be introduced', error);
  }
}
