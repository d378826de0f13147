import { BOARD_PASS_SECONDS, formatTimestamp, type Change, type EpochSeconds } from '@lobbystats/contracts';
import type { Board, BoardEntry, BoardKey, World } from '@lobbystats/simulator';

/** An expected change, without its ID and names. */
export type ReferenceChange = Omit<Change, 'id' | 'gameName' | 'leaderboardName'>;

/** A range of leaderboard passes. */
export interface Passes {
  /** The first pass, the baseline. */
  from: EpochSeconds;
  /** The pass after the last. */
  to: EpochSeconds;
}

/**
 * The changes of a board, by a simple reference implementation that compares consecutive simulated passes.
 *
 * @param later further passes in which the board was read, ascending
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

/** Every board that exists in any of the passes. */
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
  // Entries with equal name and value are unchanged; the others are matched by name.
  const others = after.entries.filter(
    (entry) => take((old) => old.name === entry.name && valueOf(old) === valueOf(entry)) === undefined,
  );
  const changes = others.map((entry) => {
    const old = take(({ name }) => name === entry.name);
    return change(old === undefined ? 'new' : 'updated', old, entry);
  });
  return [...changes, ...left.map((old) => change('removed', old, undefined))];
}
