import { createHash } from 'node:crypto';
import { formatInstant, matchEnded, matchOpened, nowChanged, slotStored } from '@lobbystats/contracts';
import type { MessageBus } from '@lobbystats/service-kit/bus';
import type { OpenedMatches } from '../matches/match-changes.ts';
import { getNow, type NowStore } from './now.ts';
import type { SeriesWriter } from '../database/series-store.ts';
import type { EndedFact, StoredBatch, StoredSlot } from './store-slots.ts';

/**
 * Publishes a batch's facts; repetitions have the same ids. A slot's own fact follows those of its matches.
 *
 * @throws the error of the bus when a fact could not be made durable
 */
export async function publishFacts(bus: MessageBus, { slots, ended, opened }: StoredBatch): Promise<void> {
  await Promise.all([
    ...ended.map((matches) => publishEnded(bus, matches)),
    ...opened.map((matches) => publishOpened(bus, matches)),
  ]);
  await Promise.all(slots.map((slot) => publishSlot(bus, slot)));
}

/** Publishes the summary of the batch's newest live slot, unless a newer slot is stored. */
export async function publishNow(
  bus: MessageBus,
  store: NowStore & Pick<SeriesWriter, 'slotAfter'>,
  { slots }: StoredBatch,
): Promise<void> {
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
