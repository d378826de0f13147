import type { Network } from './network.ts';
import { PageFailure } from './page-failures.ts';
import { deadlineMsOf, slotAt } from './slot-times.ts';
import type { Telemetry } from './telemetry.ts';
import type { Time } from './time.ts';
import type { TitleAnnouncer } from './title-announcer.ts';
import type { TitleMemory } from './title-memory.ts';

/** How long the homepage may take, in milliseconds. The next slot brings the same, only later. */
const WITHIN_MS = 30_000;

export interface IntroductionParts {
  network: Network;
  titles: TitleMemory;
  announcer: TitleAnnouncer;
  telemetry: Telemetry;
  time: Time;
}

/**
 * Reads the homepage at a first start for the titles' names alone: the past that is being brought in knows titles by their
 * IDs, and the first slot that can be collected may be minutes away. Does nothing when it is not, as the slot itself tells
 * names then, nor once titles are known; never rejects.
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
    // A page that can't be had or read is counted and logged where that was found.
    if (!(error instanceof PageFailure)) telemetry.fault('titles could not be introduced', error);
  }
}
