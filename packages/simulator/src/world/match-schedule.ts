import { gamertag } from './gamertags.ts';
import { fraction, mix } from './hash.ts';
import { createHostPool } from './host-pool.ts';
import type { Outage } from './activity.ts';
import type { SeatedTitle } from './title-catalog.ts';

const { floor, max, min } = Math;

const BLOCK_SLOTS = 24;
const MIN_SESSION_SLOTS = 2;
const DURATIONS = Uint8Array.from({ length: 256 }, (_, index) => {
  const spread = BLOCK_SLOTS - MIN_SESSION_SLOTS + 1;
  return MIN_SESSION_SLOTS + floor(((index + 0.5) / 256) ** 1.6 * spread);
});
const MEAN_DURATION = DURATIONS.reduce((sum, duration) => sum + duration, 0) / DURATIONS.length;

const TYPICAL_LOAD = 0.33;

const HARDY_MASK = 15;

export interface Match {
  host: string;
  players: number;
  maxPlayers: number | null;
}

interface OpenSession {
  host: number;
  session: number;
}

export type Busyness = (seated: SeatedTitle, slotIndex: number) => number;

interface TitleHosts {
  hosts: readonly number[];
  players: number;
}

/**
 * Matches without state: a sequence of matches is cut into blocks, and a hash of sequence and block gives session, start, length and host.
 * Outages and the end of a title cut sessions. `openMatches` is the mean.
 */
export function createMatchSchedule(
  seed: number,
  shares: Float64Array,
  openMatches: number,
  players: number,
  busyness: Busyness,
) {
  const occupancy = MEAN_DURATION / BLOCK_SLOTS;
  const firstSequences = new Uint32Array(shares.length + 1);
  const loads = new Float64Array(shares.length);
  shares.forEach((share, seat) => {
    const open = share * openMatches;
    const sequences = Math.ceil(open / (TYPICAL_LOAD * occupancy));
    loads[seat] = sequences === 0 ? 0 : open / (sequences * occupancy);
    firstSequences[seat + 1] = (firstSequences[seat] ?? 0) + sequences;
  });
  const sequenceCount = firstSequences[shares.length] ?? 0;
  const sequenceSeeds = Uint32Array.from({ length: sequenceCount }, (_, sequence) => mix(mix(seed, 21), sequence));
  const hosts = createHostPool(mix(seed, 22), sequenceCount, players);

  return {
    players: hosts.players,
    matchesOf(seated: SeatedTitle, slotIndex: number, outage: Outage): Match[] {
      const { capacity, showsCapacity } = seated.title;
      return openIn(seated, slotIndex, outage).map(({ host, session }) => ({
        host: gamertag(host),
        players: playersIn(session, slotIndex, capacity),
        maxPlayers: showsCapacity ? capacity : null,
      }));
    },
    hostsOf(seated: SeatedTitle, slotIndex: number, outage: Outage): TitleHosts {
      const open = openIn(seated, slotIndex, outage);
      const { capacity } = seated.title;
      return {
        hosts: open.map(({ host }) => host),
        players: open.reduce((sum, { session }) => sum + playersIn(session, slotIndex, capacity), 0),
      };
    },
  };

  function openIn(seated: SeatedTitle, slotIndex: number, outage: Outage): OpenSession[] {
    const open: OpenSession[] = [];
    const endSequence = firstSequences[seated.seat + 1] ?? 0;
    for (let sequence = firstSequences[seated.seat] ?? 0; sequence < endSequence; sequence += 1) {
      const found = sessionIn(sequence, seated, slotIndex, outage);
      if (found !== undefined) open.push(found);
    }
    return open;
  }

  function sessionIn(
    sequence: number,
    seated: SeatedTitle,
    slotIndex: number,
    outage: Outage,
  ): OpenSession | undefined {
    const sequenceSeed = sequenceSeeds[sequence] ?? 0;
    const shifted = slotIndex + (sequenceSeed % BLOCK_SLOTS);
    const block = floor(shifted / BLOCK_SLOTS);
    const session = mix(sequenceSeed, block);
    const duration = DURATIONS[session & 255] ?? MIN_SESSION_SLOTS;
    const begin = ((session >>> 8) & 255) % (BLOCK_SLOTS - duration + 1);
    const offset = shifted - block * BLOCK_SLOTS;
    if (offset < begin || offset >= begin + duration) return undefined;

    const startedAt = slotIndex - offset + begin;
    if (startedAt < seated.launchedAt) return undefined;
    const isHardy = ((session >>> 16) & HARDY_MASK) === 0;
    if (!isHardy && startedAt < outage.endExclusive) return undefined;
    const likelihood = (loads[seated.seat] ?? 0) * busyness(seated, startedAt);
    if (fraction(mix(session, 1)) >= likelihood) return undefined;
    return { host: hosts.hostOf(sequence, block), session };
  }
}

function playersIn(session: number, slotIndex: number, capacity: number): number {
  const usual = 0.1 + 0.75 * fraction(mix(session, 2));
  const now = usual + 0.4 * (fraction(mix(session, slotIndex)) - 0.5);
  return 1 + min(capacity - 1, max(0, floor(now * capacity)));
}
