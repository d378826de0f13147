import { SLOT_SECONDS } from '@lobbystats/contracts';
import type { SlotBatch } from '../services/series-api/src/domain/series-writer.ts';
import type { SlotSnapshot } from '../services/series-api/src/domain/snapshots.ts';

const TITLES = 200;
const MATCHES = 80;
const HOSTS = 5000;
const BATCH = 256;
const MATCH_SLOTS = 6;

/** Slots of a usual network, in batches: 200 titles, 80 open matches of half an hour each, thousands of hosts. */
export function* monthOfSlots(oldest: number, newest: number): Generator<SlotBatch> {
  for (let first = oldest; first <= newest; first += BATCH * SLOT_SECONDS) {
    const length = Math.min(BATCH, (newest - first) / SLOT_SECONDS + 1);
    const slots = Array.from({ length }, (_, index) => slotSnapshot(first + index * SLOT_SECONDS));
    yield { slots, runs: { put: slots.flatMap(runsFrom), remove: [] } };
  }
}

export function titleIdOf(index: number): string {
  return (0x4d530000 + index).toString(16);
}

function slotSnapshot(slot: number): SlotSnapshot {
  const age = slot / SLOT_SECONDS;
  const shift = Math.floor(age / MATCH_SLOTS);
  return {
    site: { slot, online: age % 5000, registered: null, lobbies: MATCHES, missing: 0 },
    titles: Array.from({ length: TITLES }, (_, index) => {
      const counts = { online: (age * 7919 + index) % 500, sessions: 1, players: 3, lobbies: 1, lobbyPlayers: 4 };
      return { titleId: titleIdOf(index), ...counts };
    }),
    matches: Array.from({ length: MATCHES }, (_, index) => {
      const host = `Host ${(index * 31 + shift) % HOSTS}`;
      return { slot, titleId: titleIdOf(index), host, players: 4, maxPlayers: 8 };
    }),
  };
}

/** The matches that begin in a slot: all of them do at once. */
function runsFrom({ site: { slot }, matches }: SlotSnapshot) {
  if ((slot / SLOT_SECONDS) % MATCH_SLOTS !== 0) return [];
  const endedAt = slot + (MATCH_SLOTS - 1) * SLOT_SECONDS;
  return matches.map(({ titleId, host }) => {
    return { titleId, host, startedAt: slot, endedAt, players: 4, maxPlayers: 8, peakPlayers: 6 };
  });
}
