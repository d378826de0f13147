import {
  BOARD_PASS_SECONDS,
  formatTimestamp,
  operations,
  SLOT_SECONDS,
  type EpochSeconds,
} from '@lobbystats/contracts';
import type { World } from '@lobbystats/simulator';
import { eventually, getJson } from '@lobbystats/test-kit';
import { siteClient } from './site-client.ts';

/** Just before the deadline of a slot (two minutes in): the collector still opens the slot and polls the clock often. */
const SLOT_OFFSET_SECONDS = 119.9;

/**
 * Runs a system through an hour, slot by slot. At the end every board has been enqueued; the last ones may be in progress.
 *
 * @param setClock sets and stops the clock of the system and of its network, in epoch seconds
 */
export async function runThroughHour(
  { url, world }: { url: string; world: World },
  hour: EpochSeconds,
  setClock: (now: EpochSeconds) => void,
): Promise<void> {
  for (let slot = hour; slot < hour + BOARD_PASS_SECONDS; slot += SLOT_SECONDS) {
    setClock(slot + SLOT_OFFSET_SECONDS);
    await waitForSlot(url, slot);
    await waitForUsers({ url, world }, slot);
  }
}

/** Waits until the users of a slot are stored: the slot does not wait for them, and they are not read after its end. */
async function waitForUsers({ url, world }: { url: string; world: World }, slot: EpochSeconds): Promise<void> {
  const [seen] = world.onlineAt(slot);
  if (seen === undefined) return;
  const { username } = world.userOf(seen.player);
  await eventually(
    async () => {
      const { playTime } = await siteClient(url).getProfile({ username });
      expect(playTime.lastSeenAt).toBe(slot);
    },
    { everyMs: 50 },
  );
}

/** Waits until a slot is stored: its boards are being enqueued by then. */
export async function waitForSlot(url: string, slot: EpochSeconds): Promise<void> {
  await eventually(
    async () => {
      const { body } = await getJson<{ recorded_at: string }[]>(`${url}${operations.getOnlineSeries.path}?days=1`);
      expect(body.at(-1)?.recorded_at).toBe(formatTimestamp(slot));
    },
    { everyMs: 50 },
  );
}
