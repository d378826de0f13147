import { SLOT_SECONDS } from '@lobbystats/contracts';

/** Waits until a time in epoch milliseconds. */
export function waitUntil(timeMs: number): Promise<void> {
  return new Promise((resolve) => {
    // eslint-disable-next-line no-restricted-syntax -- No state is waited for: the time itself is part of a fault or a load.
    setTimeout(resolve, Math.max(0, timeMs - Date.now()));
  });
}

/** Waits for the start of the next slot. Returns its time in epoch seconds. */
export async function waitForNextSlot(): Promise<number> {
  const slot = (Math.floor(Date.now() / 1000 / SLOT_SECONDS) + 1) * SLOT_SECONDS;
  await waitUntil(slot * 1000 - 500);
  return slot;
}
