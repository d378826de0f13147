import type { Filter } from 'mongodb';
import type { BoardKey, BoardState } from '../../domain/board.ts';
import type { ChangeLog, StoredChange } from '../../domain/board-store.ts';

/** Where the log of changes stands. A commit of boards moves it first: of two at once, one begins again and finds it moved. */
export interface LogRow extends ChangeLog {
  _id: 'boards';
  /** How many parts of the last commit are still to be done; absent when it is whole. */
  rest?: number;
}

/** The log at a revision, for who commits upon it: not while a commit before is in parts. */
export function settledAt(revision: number): Filter<LogRow> {
  return { _id: 'boards', revision, rest: { $exists: false } };
}

/** What the log says. */
export function changeLogOf(row: LogRow | null): ChangeLog {
  return { revision: row?.revision ?? 0, lastId: row?.lastId ?? 0, lastChangedAt: row?.lastChangedAt ?? 0 };
}

/** A part of a commit that is still to be done. */
export interface RestRow {
  /** How many parts there are still to be done with this one. */
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

/** An entry, for searches. No index is on its rank or place: a new record at the top of a board moves all others. */
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
