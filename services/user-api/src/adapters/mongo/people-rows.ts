import type { Definition } from '../../domain/definitions.ts';
import type { ProfileRecord } from '../../domain/profile-store.ts';
import type { NamedUnlock } from '../../domain/user-record.ts';
import type { Evaluation } from '../../domain/user-store.ts';

/** Where everything stands. A commit moves its revision first: of two at once, one begins again and finds it moved. */
export interface PeopleRow {
  _id: 'people';
  revision: number;
  evaluation?: Evaluation;
}

/** Whose profile has a Discord number. */
export interface DiscordRow {
  /** The number. */
  _id: string;
  userKey: string;
}

/** What people say of themselves is a part of what they are: both are read at once. */
export type ProfileFields = Omit<ProfileRecord, 'userKey'>;

/** The titles of a day and their slots. */
export interface PlayDayRow {
  /** Of {@link dayRowId}. */
  _id: string;
  /** Of `packDay`. */
  titles: string;
}

/** The slots of a day in which a player's matches ended. */
export interface HostDayRow {
  /** Of {@link dayRowId}. */
  _id: string;
  slots: Uint8Array;
}

export interface PlayerRow {
  /** The player's key. */
  _id: string;
  /** Of `packStandings`. */
  standings: string;
  hosted: number;
}

/** An unlock; with the username, so that the newest come in their order without a look at users. */
export interface UnlockRow extends NamedUnlock {
  /** Of {@link unlockRowId}. */
  _id: string;
}

/** How many people have an achievement, or have any. */
export interface UnlockCountRow {
  _id: number | 'players';
  count: number;
}

/** How many of those who have an unlock have a score. */
export interface ScoreCountRow {
  /** The score. */
  _id: number;
  count: number;
}

export interface DefinitionRow {
  _id: number;
  definition: Definition;
}

/** The keyed hash of somebody who was forgotten. */
export interface ForgottenRow {
  _id: string;
}

const DAY_DIGITS = 6;

/** The key of somebody's day. By day first: those who play now are side by side, and old days go from the beginning. */
export function dayRowId(day: number, key: string): string {
  return `${String(day).padStart(DAY_DIGITS, '0')} ${key}`;
}

/** The day and whose it is, of a key of {@link dayRowId}. */
export function dayKeyOf(rowId: string): { day: number; key: string } {
  return { day: Number(rowId.slice(0, DAY_DIGITS)), key: rowId.slice(DAY_DIGITS + 1) };
}

/** The key of an unlock: nobody has an achievement twice. */
export function unlockRowId(achievementId: number, userKey: string): string {
  return `${achievementId} ${userKey}`;
}
