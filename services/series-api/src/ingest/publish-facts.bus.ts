import { createHash } from 'node:crypto';
import {
  formatInstant,
  matchEnded,
  matchOpened,
  nowChanged,
  slotRemoved,
  slotStored,
  type EpochSeconds,
} from '@lobbystats/contracts';
import type { MessageBus } from '@lobbystats/service-kit/bus';
import type { OpenedMatches } from '../matches/match-changes.ts';
import { getNow, type NowStore } from '../live/now.ts';
import type { SlotRange } from '../series/periods.ts';
import type { RetractedEnd } from './commit-slots.ts';
import type { EndedFact, StoredBatch, StoredSlot } from './store-slots.ts';

/**
 * Publishes a batch's facts; repetitions have the same ids. A slot's own fact follows those of its matches.
 *
 * @throws the error of the bus when a fact could not be made durable
 */
export async function publishFacts(bus: MessageBus, { slots, ended, retracted, opened }: StoredBatch): Promise<void> {
  await publishRetracted(bus, retracted);
  await Promise.all([
    ...ended.map((matches) => publishEnded(bus, matches)),
    ...opened.map((matches) => publishOpened(bus, matches)),
  ]);
  await Promise.all(slots.map((slot) => publishSlot(bus, slot)));
}

interface Withdrawn extends Pick<StoredBatch, 'ended' | 'retracted'> {
  range: SlotRange;
  at: EpochSeconds;
}

/** Publishes the facts of a withdrawal. @throws the error of the bus when a fact could not be made durable */
export async function publishWithdrawal(bus: MessageBus, { range, at, ended, retracted }: Withdrawn): Promise<void> {
  await publishRetracted(bus, retracted);
  for (const matches of ended) await publishEnded(bus, matches);
  const data = { from: formatInstant(range.from), to: formatInstant(range.to), withdrawnAt: formatInstant(at) };
  const id = `slot.removed:${bus.origin}:${data.from}:${data.to}:${data.withdrawnAt}`;
  await bus.publish(slotRemoved, data, { id, occurredAt: at, past: true });
}

/** Before the ends that take their place: a consumer counts a host once per slot. */
async function publishRetracted(bus: MessageBus, ends: readonly RetractedEnd[]): Promise<void> {
  const [first] = ends;
  if (first === undefined) return;
  const retracted = ends.map((end) => ({ ...end, endedAt: formatInstant(end.endedAt) }));
  const data = { slot: formatInstant(first.endedAt), matches: [], retracted };
  const id = `match.ended:${bus.origin}:${data.slot}:${digestOf(retracted)}`;
  await bus.publish(matchEnded, data, { id, occurredAt: first.endedAt, past: true });
}

/** Publishes the summary of the batch's newest live slot, unless a newer slot is stored. */
export async function publishNow(bus: MessageBus, store: NowStore, { slots }: StoredBatch): Promise<void> {
  const slot = Math.max(...slots.flatMap(({ slot: at, past }) => (past ? [] : at)));
  if (slot === -Infinity || (await store.slotAfter(slot)) !== null) return;
  const { body } = await getNow(store, slot);
  await bus.publish(nowChanged, body, { id: `now.changed:${bus.origin}:${formatInstant(slot)}`, occurredAt: slot });
}

function publishSlot(bus: MessageBus, { slot, online, lobbies, past }: StoredSlot): Promise<void> {
  const id = `slot.stored:${bus.origin}:${formatInstant(slot)}`;
  return bus.publish(slotStored, { slot: formatInstant(slot), online, lobbies }, { id, occurredAt: slot, past });
}

/** A late slot may change the matches, which gives another id. */
function publishEnded(bus: MessageBus, { slot, matches, past }: EndedFact): Promise<void> {
  const data = {
    slot: formatInstant(slot),
    matches: matches.map((match) => ({
      ...match,
      startedAt: formatInstant(match.startedAt),
      endedAt: formatInstant(match.endedAt),
    })),
  };
  const id = `match.ended:${bus.origin}:${data.slot}:${digestOf(data.matches)}`;
  return bus.publish(matchEnded, data, { id, occurredAt: slot, past });
}

/** A late slot may change the matches, which gives another id. */
function publishOpened(bus: MessageBus, { slot, matches }: OpenedMatches): Promise<void> {
  const data = {
    slot: formatInstant(slot),
    matches: matches.map(({ titleId, host, players, maxPlayers }) => ({ titleId, host, players, maxPlayers })),
  };
  const id = `match.opened:${bus.origin}:${data.slot}:${digestOf(data.matches)}`;
  return bus.publish(matchOpened, data, { id, occurredAt: slot });
}

function digestOf(matches: readonly object[]): string {
  return createHash('sha256').update(JSON.stringify(matches)).digest('hex').slice(0, 16);
}
