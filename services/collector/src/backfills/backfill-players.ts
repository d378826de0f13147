import { chunk } from '@lobbystats/service-kit/concurrency';
import {
  DAY_SECONDS,
  PLAYERS_PER_MESSAGE,
  SLOT_SECONDS,
  type EpochSeconds,
  type PastPlayer,
} from '@lobbystats/contracts';
import { hasCode } from '@lobbystats/contracts/errors';
import { runBackfillSteps, type BackfillParts } from './run-backfill-steps.ts';
import type { PlayerBackfillRange, PlayerBackfillStore } from './backfill-store.ts';
import type { PlayerHistory } from '../network/history.ts';

interface PlayerBackfillParts extends BackfillParts<PlayerBackfillStore, PlayerHistory> {
  /** The backfill of snapshots, which goes first: charts need it, and running both at once takes longer. */
  after?: Promise<unknown>;
}

export function playerBackfillRange(firstLive: EpochSeconds, days: number): PlayerBackfillRange {
  const today = Math.floor(firstLive / DAY_SECONDS) * DAY_SECONDS;
  return days === 0 ? { from: firstLive, to: firstLive } : { from: today - days * DAY_SECONDS, to: firstLive };
}

/**
 * Publishes past presence, marked `past`. Progress is stored after each part; repeated parts count once. Resolves when
 * done or stopped.
 */
export async function backfillPlayers(range: PlayerBackfillRange, parts: PlayerBackfillParts): Promise<void> {
  const { store, telemetry } = parts;
  await runBackfillSteps(parts, 'play time backfill step failed, retrying', async () => {
    const { isDone } = await store.begin(range);
    telemetry.playerBackfillProgressed(isDone);
    if (isDone) return true;
    await parts.after;
    await backfillNextPart(parts);
    return false;
  });
}

async function backfillNextPart(parts: PlayerBackfillParts): Promise<void> {
  const { store, history } = parts;
  const state = await store.state();
  if (state === undefined || state.isDone) return;
  const { from, to, cursor } = state;
  const isEmpty = from >= to || history === undefined;
  const part = isEmpty ? undefined : await history.part(from, to, cursor);
  await publishPlayTime(part?.players ?? [], parts);
  await store.advance(cursor, part?.next ?? null);
}

async function publishPlayTime(players: readonly PastPlayer[], parts: PlayerBackfillParts): Promise<void> {
  for (const some of chunk(players, PLAYERS_PER_MESSAGE)) {
    parts.stopping.throwIfAborted();
    await parts.publisher.publishPlayTime(some, latestOf(some)).catch((error: unknown) => {
      // A message that is invalid now stays invalid.
      if (!hasCode(error, 'invalid')) throw error;
      parts.telemetry.fault('skipped a part of the play time backfill: invalid message', error);
    });
  }
}

function latestOf(players: readonly PastPlayer[]): EpochSeconds {
  const ends = players.flatMap(({ spans }) => spans.map(({ to }) => Date.parse(to) / 1000));
  return ends.reduce((latest, end) => Math.max(latest, end), 0) + SLOT_SECONDS;
}
