import { BOARD_PASS_SECONDS, formatTimestamp, type Change, type EpochSeconds } from '@lobbystats/contracts';
import type { Board, BoardEntry, BoardKey, World } from '@lobbystats/simulator';

/** A change as it must be told, whatever number it has and whatever things are called. */
export type ReferenceChange = Omit<Change, 'id' | 'gameName' | 'leaderboardName'>;

/** The passes whose boards are looked at, one after the other. */
export interface Passes {
  /** The first one: what it says is the baseline. */
  from: EpochSeconds;
  /** The one after the last. */
  to: EpochSeconds;
}

/**
 * The changes of a board, told from the simulator's hours in the plainest way: each hour is compared with the one before in
 * which the board was there.
 *
 * @param later hours after these passes in which the board was read too, ascending
 */
export function referenceChanges(
  world: World,
  { titleId, id }: BoardKey,
  { from, to }: Passes,
  later: readonly EpochSeconds[] = [],
): ReferenceChange[] {
  const changes: ReferenceChange[] = [];
  let before: Board | undefined;
  const look = (pass: EpochSeconds): void => {
    const board = world.board(pass, titleId, id);
    if (board === undefined) return;
    if (before !== undefined) changes.push(...diffOf(before, board, pass));
    before = board;
  };
  for (let pass = from; pass < to; pass += BOARD_PASS_SECONDS) look(pass);
  for (const pass of later) look(pass);
  return changes;
}

/** Every board that there is in one of the passes. */
export function everyBoard(world: World, { from, to }: Passes): BoardKey[] {
  const keys = new Map<string, BoardKey>();
  for (let pass = from; pass < to; pass += BOARD_PASS_SECONDS) {
    for (const key of world.boardKeysAt(pass)) keys.set(`${key.titleId} ${key.id}`, key);
  }
  return [...keys.values()];
}

function diffOf(before: Board, after: Board, pass: EpochSeconds): ReferenceChange[] {
  const { titleId, id: leaderboardId, isTime } = after;
  const left = [...before.entries];
  const take = (isPartner: (old: BoardEntry) => boolean): BoardEntry | undefined => {
    const at = left.findIndex(isPartner);
    return at < 0 ? undefined : left.splice(at, 1)[0];
  };
  const valueOf = ({ timeMs, rating }: BoardEntry) => (isTime ? timeMs : Number(rating.replaceAll(',', '')));
  const change = (type: Change['type'], old: BoardEntry | undefined, entry: BoardEntry | undefined) => ({
    type,
    titleId,
    leaderboardId,
    playerName: (entry ?? old)?.name ?? '',
    isTime,
    oldRank: old?.rank ?? null,
    newRank: entry?.rank ?? null,
    oldRating: old?.rating ?? null,
    newRating: entry?.rating ?? null,
    oldTimeMs: old === undefined || !isTime ? null : old.timeMs,
    newTimeMs: entry === undefined || !isTime ? null : entry.timeMs,
    changedAt: formatTimestamp(pass),
  });
  // Whoever stands there with the same value is the same; of the others the name alone says who they were.
  const others = after.entries.filter(
    (entry) => take((old) => old.name === entry.name && valueOf(old) === valueOf(entry)) === undefined,
  );
  const changes = others.map((entry) => {
    const old = take(({ name }) => name === entry.name);
    return change(old === undefined ? 'new' : 'updated', old, entry);
  });
  return [...changes, ...left.map((old) => change('removed', old, undefined))];
}
