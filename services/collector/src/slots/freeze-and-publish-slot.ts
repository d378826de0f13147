import { SingleFlight } from '@lobbystats/service-kit/concurrency';
import {
  DAY_SECONDS,
  parseInstant,
  SNAPSHOT_RETENTION_SECONDS,
  TITLE_RETENTION_SECONDS,
  type EpochSeconds,
} from '@lobbystats/contracts';
import { hasCode } from '@lobbystats/contracts/errors';
import { slotPage } from './kept-pages.ts';
import type { PublishOptions } from '../network/observation-publisher.ts';
import { hostsAsPlayers } from '../polls/hosts-as-players.ts';
import { publishPlayers } from '../polls/players-poll.ts';
import { boundMatches, composeSlot, matchesOf, missingOf, type SlotObservation } from '../network/slot-observation.ts';
import type { SlotParts } from './slot-parts.ts';

export interface SlotPublishing {
  /** Ends collection of an open slot, and publishes what it has; without a homepage the slot is missed. */
  freezeAndPublish(slot: EpochSeconds): Promise<void>;
  /** Publishes a frozen slot. */
  publish(slot: EpochSeconds): Promise<void>;
}

/**
 * The message is frozen in the store before it is published, so the next leader can repeat a step after a crash with the
 * same content.
 */
export function createSlotPublishing({
  slots,
  titles,
  boards,
  pages,
  publisher,
  sources,
  keeper,
  forms,
  telemetry,
  time,
}: SlotParts): SlotPublishing {
  const publishing = new SingleFlight<EpochSeconds>();
  const publishOnce = (slot: EpochSeconds) => publishing.run(slot, () => publish(slot));
  return {
    async freezeAndPublish(slot) {
      if (await freeze(slot)) await publishOnce(slot);
    },
    publish: publishOnce,
  };

  async function freeze(slot: EpochSeconds): Promise<boolean> {
    const content = await slots.content(slot);
    if (content === undefined) {
      if (await slots.markMissed(slot)) telemetry.slotMissed(slot);
      return false;
    }
    const whole = composeSlot(slot, content);
    const observation = boundMatches(whole);
    telemetry.matchesRefused(slot, matchesOf(whole) - matchesOf(observation));
    if (!(await slots.finish(slot, observation))) return false;
    telemetry.slotFinished(slot, observation, time.now() - slot * 1000);
    return true;
  }

  async function publish(slot: EpochSeconds): Promise<void> {
    const observation = await slots.finishedObservation(slot);
    if (observation === undefined) return;
    try {
      await publisher.publishSlot(observation, { past: false });
    } catch (error) {
      if (!hasCode(error, 'invalid')) throw error;
      // The message will never be valid.
      telemetry.fault('slot dropped: its message is invalid', error);
    }
    await publishHosts({ sources, publisher }, observation, { past: false });
    if (missingOf(observation) > 0) await keeper.keep(slotPage(slot), JSON.stringify(observation), forms.version);
    await slots.markPublished(slot);
    // The retention of slots is that of snapshots, so that no slot is opened again when the clock is set back.
    await slots.deleteBefore(slot - SNAPSHOT_RETENTION_SECONDS);
    if (slot % DAY_SECONDS === 0) await forgetBefore(slot - TITLE_RETENTION_SECONDS);
  }

  async function forgetBefore(instant: EpochSeconds): Promise<void> {
    await titles.forgetUnseen(instant);
    await boards.forgetGone(instant);
    await pages.deleteStoredBefore(instant * 1000);
  }
}

/** Without a list of users, those who host a match are known to be online. */
export async function publishHosts(
  { sources, publisher }: Pick<SlotParts, 'sources' | 'publisher'>,
  observation: SlotObservation,
  tense: PublishOptions,
): Promise<void> {
  if (!(await sources.missing()).some(({ source }) => source === 'players')) return;
  const slot = parseInstant(observation.slot);
  await publishPlayers(publisher, { slot, seenAt: slot, players: hostsAsPlayers(observation) }, tense);
}
