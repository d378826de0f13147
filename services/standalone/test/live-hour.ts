import {
  BOARD_PASS_SECONDS,
  formatTimestamp,
  operations,
  SLOT_SECONDS,
  type EpochSeconds,
} from '@lobbystats/contracts';
import { eventually, getJson } from '@lobbystats/test-kit';

/** So little before a slot's deadline (two minutes in) the collector looks at the clock again and again, and still opens the slot. */
const INTO_SLOT_SECONDS = 119.9;

/**
 * Lets a system live through an hour, slot by slot: by its end each board has had its turn, though the last ones may be in hand.
 *
 * @param setClock sets the clock of the system and of its network, in epoch seconds; it is to stand still there
 */
export async function liveThroughHour(
  url: string,
  hour: EpochSeconds,
  setClock: (now: EpochSeconds) => void,
): Promise<void> {
  for (let slot = hour; slot < hour + BOARD_PASS_SECONDS; slot += SLOT_SECONDS) {
    setClock(slot + INTO_SLOT_SECONDS);
    await slotIsThere(url, slot);
  }
}

/** Waits until a slot is there: its boards are being handed out by then. */
export async function slotIsThere(url: string, slot: EpochSeconds): Promise<void> {
  await eventually(
    async () => {
      const { body } = await getJson<{ recorded_at: string }[]>(`${url}${operations.getOnlineSeries.path}?days=1`);
      expect(body.at(-1)?.recorded_at).toBe(formatTimestamp(slot));
    },
    { timeoutMs: 30_000, everyMs: 50 },
  );
}
