import { SLOT_SECONDS } from '@lobbystats/contracts';
import { until } from './broken-server.ts';

/** A slot is collected within this time of its beginning. */
const COLLECTED_SECONDS = 130;

/** Waits, if need be, until no slot is being collected for so many seconds. */
export async function betweenSlots(seconds: number): Promise<void> {
  const into = (Date.now() / 1000) % SLOT_SECONDS;
  if (into >= COLLECTED_SECONDS && into + seconds < SLOT_SECONDS) return;
  const wait = into < COLLECTED_SECONDS ? COLLECTED_SECONDS - into : SLOT_SECONDS - into + COLLECTED_SECONDS;
  await until(Date.now() + wait * 1000);
}

/** Waits for the beginning of the next slot; its time, in epoch seconds. */
export async function nextSlot(): Promise<number> {
  const slot = (Math.floor(Date.now() / 1000 / SLOT_SECONDS) + 1) * SLOT_SECONDS;
  await until(slot * 1000 - 500);
  return slot;
}
