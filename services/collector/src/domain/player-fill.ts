import {
  DAY_SECONDS,
  PLAYERS_PER_MESSAGE,
  SLOT_SECONDS,
  type EpochSeconds,
  type PastPlayer,
} from '@lobbystats/contracts';
import { hasCode } from '@lobbystats/errors';
import { fillStepByStep, leaseKeeper, takeOrWatch, type FillingParts } from './fill-steps.ts';
import type { Outlet } from './outlet.ts';
import type { PlayerFillRange, PlayerFillStore } from './player-fill-store.ts';
import type { PlayerHistory } from './player-history.ts';

export interface PlayerFillParts extends FillingParts {
  store: PlayerFillStore;
  history: PlayerHistory | undefined;
  outlet: Outlet;
  /** Play time waits for this, the backfill of snapshots: charts need it first, and both at once take longer than in turn. */
  after?: Promise<void>;
}

export function playerFillRange(firstLive: EpochSeconds, days: number): PlayerFillRange {
  const today = Math.floor(firstLive / DAY_SECONDS) * DAY_SECONDS;
  return days === 0 ? { from: firstLive, to: firstLive } : { from: today - days * DAY_SECONDS, to: firstLive };
}

/**
 * Publishes past presence, marked `past`. Progress is stored after each part; repeated parts count once. Resolves when
 * done or stopped.
 */
export async function fillPlayers(range: PlayerFillRange, parts: PlayerFillParts): Promise<void> {
  const { store, telemetry } = parts;
  await fillStepByStep(parts, 'the players’ past could not be brought in yet', async () => {
    const { isDone } = await store.begin(range);
    telemetry.playerFillProgressed(isDone);
    if (isDone) return true;
    await parts.after;
    await fillNext(parts);
    return false;
  });
}

async function fillNext(parts: PlayerFillParts): Promise<void> {
  const { store, history } = parts;
  if (!(await takeOrWatch(parts))) return;
  const state = await store.state();
  if (state === undefined || state.isDone) return;
  const { from, to, cursor } = state;
  const isEmpty = from >= to || history === undefined;
  const part = isEmpty ? undefined : await history.part(from, to, cursor);
  await say(part?.players ?? [], parts);
  await store.advance(cursor, part?.next ?? null);
}

async function say(players: readonly PastPlayer[], parts: PlayerFillParts): Promise<void> {
  const keepLease = leaseKeeper(parts);
  for (let first = 0; first < players.length; first += PLAYERS_PER_MESSAGE) {
    await keepLease();
    const some = players.slice(first, first + PLAYERS_PER_MESSAGE);
    await parts.outlet.play(some, latestOf(some)).catch((error: unknown) => {
      // A message that is invalid now stays invalid.
      if (!hasCode(error, 'invalid')) throw error;
      parts.telemetry.fault('a part of the players’ past is left out', error);
    });
  }
}

function latestOf(players: readonly PastPlayer[]): EpochSeconds {
  const ends = players.flatMap(({ spans }) => spans.map(({ to }) => Date.parse(to) / 1000));
  return ends.reduce((latest, end) => Math.max(latest, end), 0) + SLOT_SECONDS;
}
