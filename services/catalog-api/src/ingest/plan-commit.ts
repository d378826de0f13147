import type { EpochSeconds } from '@lobbystats/contracts';
import {
  boardId,
  comparableValue,
  contentOf,
  type BoardConfirmation,
  type BoardObservation,
  type BoardContent,
  type BoardState,
  type Entry,
  type ChangeLog,
} from '../boards/board.ts';
import { addSizes, NO_ROWS, type BoardSizes } from './board-growth.ts';
import type { BoardWrite } from './commits.queries.ts';
import type { Beaten, StoredChange } from '../changes/stored-change.ts';
import { diffBoard, type EntryChange } from './diff-board.ts';

export interface BoardCommitPlan {
  readonly boards: readonly BoardWrite[];
  readonly seen: readonly BoardConfirmation[];
  readonly changes: readonly StoredChange[];
  /** The last change's id and time afterwards. */
  readonly lastId: number;
  readonly lastChangedAt: number;
  readonly added: BoardSizes;
  readonly refused: BoardSizes;
}

/**
 * Computes a commit from one observation of each board at most. Ids continue the log's; times never go back. An observation
 * with more rows than there is room for is refused; one with too many changes alone is a baseline without changes.
 */
export function planCommit(
  log: ChangeLog,
  known: ReadonlyMap<string, KnownBoard>,
  observations: readonly BoardObservation[],
  room: BoardSizes,
): BoardCommitPlan {
  const boards: BoardWrite[] = [];
  const seen: BoardConfirmation[] = [];
  const changes: StoredChange[] = [];
  let { lastId, lastChangedAt } = log;
  let [added, refused] = [NO_ROWS, NO_ROWS];
  for (const observation of observations) {
    const { titleId, leaderboardId, pass, seenAt } = observation;
    const outcome = applyBoard(known.get(boardId(observation)), observation, Math.max(seenAt, lastChangedAt));
    if (outcome.kind === 'seen') seen.push({ titleId, leaderboardId, pass, seenAt });
    if (outcome.kind !== 'written') continue;
    const { isTime, changedAt } = outcome.write.state;
    const rows = rowsOf(known.get(boardId(observation)), outcome.write);
    if (added.boards + rows.boards > room.boards || added.entries + rows.entries > room.entries) {
      refused = addSizes(refused, rows);
      continue;
    }
    const changeCount = outcome.changes.length;
    const isRecorded = added.changes + changeCount <= room.changes;
    if (!isRecorded) refused = addSizes(refused, { ...NO_ROWS, changes: changeCount });
    added = addSizes(added, isRecorded ? { ...rows, changes: changeCount } : rows);
    boards.push(outcome.write);
    for (const change of isRecorded ? outcome.changes : []) {
      lastId += 1;
      lastChangedAt = changedAt;
      const beaten = beatenBy(change, known.get(boardId(observation))?.content);
      changes.push({ id: lastId, titleId, leaderboardId, isTime, ...change, changedAt, beaten });
    }
  }
  return { boards, seen, changes, lastId, lastChangedAt, added, refused };
}

/** Rows of a board that come on top of the stored ones. */
function rowsOf(known: KnownBoard | undefined, { entries }: BoardWrite): BoardSizes {
  const more = Math.max(0, entries.length - (known?.state.entryCount ?? 0));
  return { boards: known === undefined ? 1 : 0, entries: more, changes: 0 };
}

export interface KnownBoard {
  readonly state: BoardState;
  readonly content: BoardContent | undefined;
}

/** Ignored, seen unchanged in a newer pass, or changed. */
type BoardOutcome =
  | { readonly kind: 'none' }
  | { readonly kind: 'seen' }
  | { readonly kind: 'written'; readonly write: BoardWrite; readonly changes: readonly EntryChange[] };

/**
 * Ignores passes that are not later than the stored one. A first observation, or a switch between times and scores, is a
 * baseline without changes. A board that returns is compared with its last content.
 *
 * @param changedAt not earlier than any stored change
 */
function applyBoard(
  known: KnownBoard | undefined,
  observation: BoardObservation,
  changedAt: EpochSeconds,
): BoardOutcome {
  const { titleId, leaderboardId, pass, seenAt } = observation;
  if (known !== undefined && pass <= known.state.pass) return { kind: 'none' };
  const content = contentOf(observation);
  if (known !== undefined && hasSameContent(known, content)) return { kind: 'seen' };

  const { name, isTime } = content ?? known?.state ?? { name: '', isTime: false };
  const entries = content?.entries ?? [];
  const state: BoardState = {
    titleId,
    leaderboardId,
    name,
    isTime,
    entryCount: entries.length,
    gone: content === null,
    version: (known?.state.version ?? 0) + 1,
    pass,
    changedAt: Math.max(changedAt, known?.state.changedAt ?? 0),
    observedAt: seenAt,
  };
  return {
    kind: 'written',
    write: { state, entries },
    changes: known?.content?.isTime === content?.isTime ? changesOf(known?.content, content) : [],
  };
}

function changesOf(before: BoardContent | undefined, after: BoardContent | null): EntryChange[] {
  return before === undefined || after === null ? [] : diffBoard(before, after);
}

function hasSameContent({ state, content: before }: KnownBoard, after: BoardContent | null): boolean {
  if (after === null || state.gone) return after === null && state.gone;
  return (
    before?.name === after.name &&
    before.isTime === after.isTime &&
    before.entries.length === after.entries.length &&
    before.entries.every((entry, index) => isSameEntry(entry, after.entries[index]))
  );
}

function isSameEntry(a: Entry, b: Entry | undefined): boolean {
  return a.rank === b?.rank && a.name === b.name && a.rating === b.rating && a.timeMs === b.timeMs;
}

/**
 * The first entry of a leaderboard if a change takes rank 1 by a better rating than all that were known of it, which is a
 * record; else null. Neither a tie nor a reset is one, nor another spelling of a name or rating, nor who is next when the
 * first one is removed.
 */
export function beatenBy(
  { newRank, newRating, newTimeMs }: EntryChange,
  before: Pick<BoardContent, 'isTime' | 'entries'> | undefined,
): Beaten | null {
  const { isTime = false, entries = [] } = before ?? {};
  const [first] = entries;
  if (newRank !== 1 || newRating === null || first === undefined) return null;
  const value = numberOf({ rating: newRating, timeMs: newTimeMs ?? 0 }, isTime);
  const known = entries.map((entry) => numberOf(entry, isTime));
  const isBetter = isTime || isAscending(known) ? (one: number) => value < one : (one: number) => value > one;
  return known.every(isBetter) ? { name: first.name, rating: first.rating, timeMs: first.timeMs } : null;
}

/** Whether less is better on a board of scores: the network's order tells. */
function isAscending(values: readonly number[]): boolean {
  return (values.at(-1) ?? 0) > (values[0] ?? 0);
}

/** NaN for a rating that is no number, which is never a record. */
function numberOf(entry: Pick<Entry, 'rating' | 'timeMs'>, isTime: boolean): number {
  const value = comparableValue(entry, isTime);
  return typeof value === 'number' ? value : Number(/^[-+]?\d+(?:\.\d+)?/.exec(value)?.[0] ?? NaN);
}
