import type { BoardKey, BoardState } from './board.ts';
import type { ChangeLog, StoredChange } from './board-store.ts';

/** Commits and projection steps update this first: of two concurrent ones, one restarts. */
export interface LogRow extends ChangeLog {
  _id: 'boards';
}

export interface PendingBoardRow {
  _id: string;
  /** Set by a backfill: new players are counted after it. */
  past?: true;
}

/** A board with players that have no name row yet. */
export interface PendingNamesRow {
  _id: string;
  /** Since when, in epoch milliseconds. */
  at: number;
}

/** Changes without rows yet. */
export interface PendingChangesRow {
  /** Id of the first change. */
  _id: number;
  packed: Uint8Array;
}

export interface StateRow extends BoardState {
  _id: string;
}

/** Packed; for a board that is gone, its last content. */
export interface ContentRow {
  _id: string;
  gone: boolean;
  content: Uint8Array;
}

export interface VersionRow {
  _id: string;
  content: Uint8Array | null;
}

/** Rank and position are not indexed: a new record moves every entry below it. */
export interface EntryRow extends BoardKey {
  _id: string;
  place: number;
  rank: number;
  name: string;
  playerKey: string;
  rating: string;
  /** Null on a score board. */
  timeMs: number | null;
}

/** A player or leaderboard, to be found by the words of its name. */
export interface NameRow {
  _id: string;
  name: string;
  entries: number;
  /** Null: a player. */
  board: BoardKey | null;
  firstWord: string;
  laterWords: string[];
  parts: string[];
}

/** The id is the change's. */
export interface ChangeRow extends Omit<StoredChange, 'id'> {
  _id: number;
  playerKey: string;
}

export interface CountRow {
  _id: string;
  count: number;
}

export const ALL_TITLES = 'every';

export function countId(titleId: string, type: string): string {
  return `${titleId} ${type}`;
}

export function versionRowId(board: string, day: string): string {
  return `${board} ${day}`;
}

export function keyRange(board: string): { $gt: string; $lt: string } {
  return { $gt: `${board} `, $lt: `${board}!` };
}
