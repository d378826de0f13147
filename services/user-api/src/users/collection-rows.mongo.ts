import type { Definition } from '../definitions/definitions.ts';
import type { NamedUnlock, ProfileRecord } from './user-record.ts';
import type { Evaluation, WithdrawnSlots } from './user-store.ts';

/** Every commit moves the revision first, so that of two concurrent ones one restarts. */
export interface StateRow {
  _id: 'users';
  revision: number;
  evaluation?: Evaluation;
  withdrawals?: readonly WithdrawnSlots[];
}

export interface DiscordRow {
  _id: string;
  userKey: string;
}

/** Profile fields are part of the user document: both are read at once. */
export type ProfileFields = Omit<ProfileRecord, 'userKey'>;

/** The titles of a day and their slots. */
export interface PlayDayRow {
  _id: string;
  titles: string;
}

export interface HostDayRow {
  _id: string;
  slots: Uint8Array;
}

export interface PlayerRow {
  _id: string;
  standings: string;
  hosted: number;
}

export interface UnlockRow extends NamedUnlock {
  _id: string;
}

export interface UnlockCountRow {
  _id: number | 'players';
  count: number;
}

export interface ScoreCountRow {
  _id: number;
  count: number;
}

export interface DefinitionRow {
  _id: number;
  definition: Definition;
}

export interface ErasureRow {
  _id: string;
}

const DAY_DIGITS = 6;

/** Day first: current players are adjacent, and old days are removed from the start. */
export function dayRowId(day: number, key: string): string {
  return `${String(day).padStart(DAY_DIGITS, '0')} ${key}`;
}

export function dayKeyOf(rowId: string): { day: number; key: string } {
  return { day: Number(rowId.slice(0, DAY_DIGITS)), key: rowId.slice(DAY_DIGITS + 1) };
}

export function unlockRowId(achievementId: number, userKey: string): string {
  return `${achievementId} ${userKey}`;
}
