import { SLOT_SECONDS } from '@lobbystats/contracts';

/** A slot is collected within this time after its start. */
const COLLECTED_SECONDS = 130;

/** Waits until a time in epoch milliseconds. */
export function waitUntil(timeMs: number): Promise<void> {
  return new Promise((resolve) => {
    // eslint-disable-next-line no-restricted-syntax -- No state is waited for: the time itself is part of a fault or a load.
    setTimeout(resolve, Math.max(0, timeMs - Date.now()));
  });
}

/** Waits for a period of `seconds` in which no slot is collected. */
export async function waitBetweenSlots(seconds: number): Promise<void> {
  const into = (Date.now() / 1000) % SLOT_SECONDS;
  if (into >= COLLECTED_SECONDS && into + seconds < SLOT_SECONDS) return;
  const wait = into < COLLECTED_SECONDS ? COLLECTED_SECONDS - into : SLOT_SECONDS - into + COLLECTED_SECONDS;
  await waitUntil(Date.now() + wait * 1000);
}

/** Waits for the start of the next slot. Returns its time in epoch seconds. */
export async function waitForNextSlot(): Promise<number> {
  const slot = (Math.floor(Date.now() / 1000 / SLOT_SECONDS) + 1) * SLOT_SECONDS;
  await waitUntil(slot * 1000 - 500);
  return slot;
}
