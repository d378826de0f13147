import type { BoardKey, BoardState } from '../../domain/board.ts';
import type { ChangeLog, StoredChange } from '../../domain/board-store.ts';

/**
 * Where the log of changes stands. A commit of boards or people and a step of the projection move it first: of two at once, one
 * begins again and finds it moved.
 */
export interface LogRow extends ChangeLog {
  _id: 'boards';
}

/** A board whose entry rows may be other than its content. */
export interface PendingBoardRow {
  /** Of `boardId`. */
  _id: string;
}

/** Changes that have no rows yet. */
export interface PendingChangesRow {
  /** The id of the first one. */
  _id: number;
  packed: Uint8Array;
}

/** The state of a board. Rows of older releases have no `observedAt`. */
export interface StateRow extends Omit<BoardState, 'observedAt'>, Partial<Pick<BoardState, 'observedAt'>> {
  /** Of `boardId`. */
  _id: string;
}

/** What a board says, packed; of one that is gone what it last said. */
export interface ContentRow {
  /** Of `boardId`. */
  _id: string;
  gone: boolean;
  content: Uint8Array;
}

/** A packed content; null where the board was gone at the end of the day. */
export interface VersionRow {
  /** Of {@link versionRowId}. */
  _id: string;
  content: Uint8Array | null;
}

/** An entry, for searches: made of the board's content by the projection. No index is on its rank or place: a new record at the top of a board moves all others. */
export interface EntryRow extends BoardKey {
  /** The board's, a number, and the name. */
  _id: string;
  place: number;
  rank: number;
  name: string;
  playerKey: string;
  rating: string;
  /** Null on a score board: what searches by time doesn't see it. */
  timeMs: number | null;
}

/** A change; its id is the key. */
export interface ChangeRow extends Omit<StoredChange, 'id'> {
  _id: number;
}

/** How many changes of a type a title has. */
export interface CountRow {
  /** Of {@link countId}. */
  _id: string;
  count: number;
}

/** Stands for all titles in the counts. */
export const EVERY_TITLE = 'every';

/** The key of a count. */
export function countId(titleId: string, type: string): string {
  return `${titleId} ${type}`;
}

/** The key of a board's version of a day: keys are in the order of days. */
export function versionRowId(board: string, day: string): string {
  return `${board} ${day}`;
}

/** The keys that begin with a board's: those of its versions, or of its entries. */
export function keysOfBoard(board: string): { $gt: string; $lt: string } {
  // What follows the space in the order of bytes.
  return { $gt: `${board} `, $lt: `${board}!` };
}
